//===- ChainExamples.cpp - Reading and writing of chain examples ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nnet3/Kaldi/Examples/ChainExamples.h"
#include "nnet3/Kaldi/IO/Reader.h"
#include "nnet3/Kaldi/IO/Writer.h"

using namespace nnet3::kaldi;
using llvm::failed;
using llvm::failure;
using llvm::LogicalResult;
using llvm::StringRef;
using llvm::success;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static LogicalResult readPositive(KaldiReader &reader, StringRef token,
                                  int32_t &value) {
  if (failed(reader.expectToken(token)) || failed(reader.readInt32(value)))
    return failure();
  if (value < 1)
    return reader.fail("expects at least 1 after " + token + ", but got " +
                       Twine(value));
  return success();
}

/// Reads one graph for all sequences, or one graph per sequence for end-to-end
/// training.
static LogicalResult readGraphs(KaldiReader &reader,
                                ChainSupervision &supervision) {
  supervision.graphs.clear();
  if (!supervision.endToEnd)
    return readCompactFst(reader, supervision.graphs.emplace_back());
  if (failed(reader.expectToken("<Fsts>")))
    return failure();
  for (int32_t i = 0; i < supervision.numSequences; ++i)
    if (failed(readCompactFst(reader, supervision.graphs.emplace_back())))
      return failure();
  return reader.expectToken("</Fsts>");
}

LogicalResult
nnet3::kaldi::readUtteranceSupervision(KaldiReader &reader,
                                       ChainSupervision &supervision) {
  if (failed(reader.expectToken("<Supervision>")) ||
      failed(reader.expectToken("<Weight>")) ||
      failed(reader.readFloat(supervision.weight)) ||
      failed(
          readPositive(reader, "<NumSequences>", supervision.numSequences)) ||
      failed(reader.expectToken("<FramesPerSeq>")) ||
      // Sequences of different lengths have no common length.
      failed(reader.readInt32(supervision.framesPerSequence)) ||
      failed(readPositive(reader, "<LabelDim>", supervision.labelDim)) ||
      failed(reader.expectToken("<End2End>")) ||
      failed(reader.readBool(supervision.endToEnd)) ||
      failed(readGraphs(reader, supervision)))
    return failure();
  supervision.alignmentPdfs.reset();
  if (reader.consumeToken("<AlignmentPdfs>") &&
      failed(reader.readIntVector(supervision.alignmentPdfs.emplace())))
    return failure();
  return reader.expectToken("</Supervision>");
}

/// Reads weights from 0 to 1, which are stored as bytes.
static LogicalResult readByteWeights(KaldiReader &reader,
                                     std::vector<float> &weights) {
  if (!reader.isBinary())
    return reader.readVector(weights);
  StringRef bytes;
  if (failed(reader.readBytes(1 + sizeof(int32_t), bytes)))
    return failure();
  uint32_t count = 0;
  for (int i = 4; i > 0; --i)
    count = count << 8 | static_cast<uint8_t>(bytes[i]);
  if (bytes.front() != 1 || count > INT32_MAX)
    return reader.fail("expects a vector of bytes, but got size byte " +
                       Twine(static_cast<int>(bytes.front())));
  if (failed(reader.readBytes(count, bytes)))
    return failure();
  for (char byte : bytes)
    weights.push_back(static_cast<uint8_t>(byte) * (1.0f / 255));
  return success();
}

static LogicalResult readDerivativeWeights(KaldiReader &reader,
                                           ChainSupervision &supervision) {
  supervision.derivativeWeights.reset();
  if (reader.consumeToken("<DW2>"))
    return reader.readVector(supervision.derivativeWeights.emplace());
  if (reader.consumeToken("<DW>"))
    return readByteWeights(reader, supervision.derivativeWeights.emplace());
  return success();
}

static LogicalResult readSupervision(KaldiReader &reader,
                                     ChainSupervision &supervision) {
  if (failed(reader.expectToken("<NnetChainSup>")) ||
      failed(reader.readToken(supervision.name)) ||
      failed(readIndexVector(reader, supervision.indexes)) ||
      failed(readUtteranceSupervision(reader, supervision)) ||
      failed(readDerivativeWeights(reader, supervision)))
    return failure();
  return reader.expectToken("</NnetChainSup>");
}

LogicalResult nnet3::kaldi::readChainExample(KaldiReader &reader,
                                             NnetChainExample &example) {
  example = NnetChainExample();
  int32_t count;
  if (failed(reader.expectToken("<Nnet3ChainEg>")) ||
      failed(readPositive(reader, "<NumInputs>", count)))
    return failure();
  for (int32_t i = 0; i < count; ++i)
    if (failed(readNnetIo(reader, example.inputs.emplace_back())))
      return failure();
  if (failed(readPositive(reader, "<NumOutputs>", count)))
    return failure();
  for (int32_t i = 0; i < count; ++i)
    if (failed(readSupervision(reader, example.outputs.emplace_back())))
      return failure();
  return reader.expectToken("</Nnet3ChainEg>");
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

static void writeGraphs(KaldiWriter &writer,
                        const ChainSupervision &supervision) {
  if (supervision.endToEnd)
    writer.writeToken("<Fsts>");
  for (const CompactFst &graph : supervision.graphs)
    writeCompactFst(writer, graph);
  if (supervision.endToEnd)
    writer.writeToken("</Fsts>");
}

static void writeSupervision(KaldiWriter &writer,
                             const ChainSupervision &supervision) {
  writer.writeToken("<NnetChainSup>");
  writer.writeToken(supervision.name);
  writeIndexVector(writer, supervision.indexes);
  writer.writeToken("<Supervision>");
  writer.writeToken("<Weight>");
  writer.writeFloat(supervision.weight);
  writer.writeToken("<NumSequences>");
  writer.writeInt32(supervision.numSequences);
  writer.writeToken("<FramesPerSeq>");
  writer.writeInt32(supervision.framesPerSequence);
  writer.writeToken("<LabelDim>");
  writer.writeInt32(supervision.labelDim);
  writer.writeToken("<End2End>");
  writer.writeBool(supervision.endToEnd);
  writeGraphs(writer, supervision);
  if (supervision.alignmentPdfs) {
    writer.writeToken("<AlignmentPdfs>");
    writer.writeIntVector(*supervision.alignmentPdfs);
  }
  writer.writeToken("</Supervision>");
  if (supervision.derivativeWeights) {
    writer.writeToken("<DW2>");
    writer.writeVector(llvm::ArrayRef<float>(*supervision.derivativeWeights));
  }
  writer.writeToken("</NnetChainSup>");
}

void nnet3::kaldi::writeChainExample(KaldiWriter &writer,
                                     const NnetChainExample &example) {
  writer.writeToken("<Nnet3ChainEg>");
  writer.writeToken("<NumInputs>");
  writer.writeInt32(example.inputs.size());
  for (const NnetIo &io : example.inputs)
    writeNnetIo(writer, io);
  writer.writeToken("<NumOutputs>");
  writer.writeInt32(example.outputs.size());
  for (const ChainSupervision &supervision : example.outputs)
    writeSupervision(writer, supervision);
  writer.writeToken("</Nnet3ChainEg>");
}
