//===- Examples.cpp - Reading and writing of training examples ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nnet3/Kaldi/Examples/Examples.h"
#include "nnet3/Kaldi/IO/KaldiError.h"
#include "nnet3/Kaldi/IO/Reader.h"
#include "nnet3/Kaldi/IO/Writer.h"
#include "llvm/ADT/StringSet.h"

using namespace nnet3::kaldi;
using llvm::failed;
using llvm::failure;
using llvm::LogicalResult;
using llvm::success;
using llvm::Twine;

/// Kaldi's limit (spec: formats.md 8.3).
static constexpr int32_t maxIo = 1000000;

LogicalResult nnet3::kaldi::readNnetIo(KaldiReader &reader, NnetIo &io) {
  if (failed(reader.expectToken("<NnetIo>")) ||
      failed(reader.readToken(io.name)))
    return failure();
  if (failed(readIndexVector(reader, io.indexes)))
    return failure();
  if (failed(readGeneralMatrix(reader, io.features)))
    return failure();
  int64_t rows = getNumRows(io.features);
  if (rows != static_cast<int64_t>(io.indexes.size()))
    return reader.fail("expects a row for each of " + Twine(io.indexes.size()) +
                       " indexes of '" + io.name + "', but got " + Twine(rows));
  return reader.expectToken("</NnetIo>");
}

LogicalResult nnet3::kaldi::readExample(KaldiReader &reader,
                                        NnetExample &example) {
  int32_t count;
  if (failed(reader.expectToken("<Nnet3Eg>")) ||
      failed(reader.expectToken("<NumIo>")) || failed(reader.readInt32(count)))
    return failure();
  if (count < 1 || count > maxIo)
    return reader.fail("expects between 1 and " + Twine(maxIo) +
                       " inputs and outputs, but got " + Twine(count));
  example.io.clear();
  llvm::StringSet<> names;
  for (int32_t i = 0; i < count; ++i) {
    NnetIo io;
    if (failed(readNnetIo(reader, io)))
      return failure();
    if (!names.insert(io.name).second)
      return reader.fail("'" + io.name + "' comes twice in an example");
    example.io.push_back(std::move(io));
  }
  return reader.expectToken("</Nnet3Eg>");
}

void nnet3::kaldi::writeNnetIo(KaldiWriter &writer, const NnetIo &io) {
  writer.writeToken("<NnetIo>");
  writer.writeToken(io.name);
  writeIndexVector(writer, io.indexes);
  writeGeneralMatrix(writer, io.features);
  writer.writeToken("</NnetIo>");
}

void nnet3::kaldi::writeExample(KaldiWriter &writer,
                                const NnetExample &example) {
  writer.writeToken("<Nnet3Eg>");
  writer.writeToken("<NumIo>");
  writer.writeInt32(example.io.size());
  for (const NnetIo &io : example.io)
    writeNnetIo(writer, io);
  writer.writeToken("</Nnet3Eg>");
}
