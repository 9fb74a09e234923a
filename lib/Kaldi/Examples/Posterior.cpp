//===- Posterior.cpp - Reading and writing of posteriors ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nnet3/Kaldi/Examples/Posterior.h"
#include "nnet3/Kaldi/IO/Reader.h"
#include "nnet3/Kaldi/IO/Writer.h"

using namespace nnet3::kaldi;
using llvm::failed;
using llvm::failure;
using llvm::LogicalResult;
using llvm::success;
using llvm::Twine;

using Frame = Posterior::value_type;

static LogicalResult readEntry(KaldiReader &reader, Frame &frame) {
  auto &[number, weight] = frame.emplace_back();
  return success(succeeded(reader.readInt32(number)) &&
                 succeeded(reader.readFloat(weight)));
}

static LogicalResult readBinary(KaldiReader &reader, Posterior &posterior) {
  int32_t numFrames, numEntries;
  if (failed(reader.readCount(numFrames)))
    return failure();
  for (int32_t f = 0; f < numFrames; ++f) {
    Frame &frame = posterior.emplace_back();
    if (failed(reader.readCount(numEntries)))
      return failure();
    for (int32_t i = 0; i < numEntries; ++i)
      if (failed(readEntry(reader, frame)))
        return failure();
  }
  return success();
}

/// A separate reader for this line stops at the end of the line.
static LogicalResult readText(KaldiReader &reader, Posterior &posterior) {
  std::string line;
  if (failed(reader.readLine(line)))
    return failure();
  FileLocation start = reader.getLocation();
  KaldiReader frames(line, reader.getName());
  while (frames.skipSpace(), !frames.atEnd()) {
    Frame &frame = posterior.emplace_back();
    if (succeeded(frames.expectToken("[")))
      while (frames.peekToken() != ']')
        if (failed(readEntry(frames, frame)))
          break;
    if (failed(frames.expectToken("]")))
      break;
  }
  if (!frames.hasFailed())
    return success();
  FileLocation inLine = frames.getLocation();
  start.byte += inLine.byte;
  start.column += start.line ? inLine.byte : 0;
  std::string message;
  llvm::handleAllErrors(frames.takeError(), [&](const KaldiError &error) {
    message = error.message;
  });
  return reader.failAt(start, message);
}

LogicalResult nnet3::kaldi::readPosterior(KaldiReader &reader,
                                          Posterior &posterior) {
  posterior.clear();
  return reader.isBinary() ? readBinary(reader, posterior)
                           : readText(reader, posterior);
}

void nnet3::kaldi::writePosterior(KaldiWriter &writer,
                                  const Posterior &posterior) {
  if (writer.isBinary())
    writer.writeInt32(posterior.size());
  for (const Frame &frame : posterior) {
    if (writer.isBinary())
      writer.writeInt32(frame.size());
    else
      writer.writeToken("[");
    for (auto [number, weight] : frame) {
      writer.writeInt32(number);
      writer.writeFloat(weight);
    }
    if (!writer.isBinary())
      writer.writeToken("]");
  }
  writer.writeNewline();
}
