//===- IndexVector.cpp - Reading and writing of index vectors -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "IO/SpelledOut.h"

using namespace nnet3::kaldi;
using llvm::failed;
using llvm::failure;
using llvm::LogicalResult;
using llvm::StringRef;
using llvm::success;
using llvm::Twine;

/// Steps in t with an absolute value below this fit in a byte.
static constexpr int64_t stepLimit = 125;
/// Precedes an index with all three numbers.
static constexpr char spelledOut = 127;

/// Reads an element. On entry, `index` is the previous one, or zero.
static LogicalResult readElement(KaldiReader &reader, RowIndex &index) {
  if (!reader.isBinary())
    return success(succeeded(reader.expectToken("<I1>")) &&
                   succeeded(readSpelledOut(reader, index)));
  StringRef byte;
  if (failed(reader.readBytes(1, byte)))
    return failure();
  signed char step = byte.front();
  if (step == spelledOut)
    return readSpelledOut(reader, index);
  if (step <= -stepLimit || step >= stepLimit)
    return reader.fail("expects a step in t or 127 in an index vector, but got "
                       "byte " +
                       Twine(static_cast<int>(step)));
  int64_t t = int64_t(index.t) + step;
  if (t != static_cast<int32_t>(t))
    return reader.fail("step " + Twine(static_cast<int>(step)) + " from t = " +
                       Twine(index.t) + " does not fit in 32 bits");
  index.t = t;
  return success();
}

LogicalResult nnet3::kaldi::readIndexVector(KaldiReader &reader,
                                            std::vector<RowIndex> &indexes) {
  int32_t count;
  if (failed(reader.expectToken("<I1V>")) || failed(reader.readInt32(count)))
    return failure();
  if (count < 0)
    return reader.fail("expects a count of at least 0, but got " +
                       Twine(count));
  indexes.clear();
  RowIndex index;
  for (int32_t i = 0; i < count; ++i) {
    if (failed(readElement(reader, index)))
      return failure();
    indexes.push_back(index);
  }
  return success();
}

void nnet3::kaldi::writeIndexVector(KaldiWriter &writer,
                                    llvm::ArrayRef<RowIndex> indexes) {
  writer.writeToken("<I1V>");
  writer.writeInt32(indexes.size());
  RowIndex previous;
  for (const RowIndex &index : indexes) {
    int64_t step = int64_t(index.t) - previous.t;
    if (!writer.isBinary()) {
      writer.writeToken("<I1>");
      writeSpelledOut(writer, index);
    } else if (index.n == previous.n && index.x == previous.x &&
               step > -stepLimit && step < stepLimit) {
      char byte = static_cast<char>(step);
      writer.writeBytes({&byte, 1});
    } else {
      writer.writeBytes({&spelledOut, 1});
      writeSpelledOut(writer, index);
    }
    previous = index;
  }
}
