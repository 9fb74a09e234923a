//===- CindexVector.cpp - Reading and writing of (node, row) pairs --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CindexVector.h"
#include "IO/SpelledOut.h"

using namespace nnet3::kaldi;
using llvm::failed;
using llvm::failure;
using llvm::LogicalResult;
using llvm::StringRef;
using llvm::success;
using llvm::Twine;

using Cindex = std::pair<int32_t, RowIndex>;

/// Precedes the number of a new node.
static constexpr char kNode = '|';
/// Stands for the same row of the next sequence.
static constexpr int kNextN = 126;
/// Precedes an index with all three numbers.
static constexpr int kSpelledOut = 127;

/// Returns true if a step in t fits in one byte. The limit is smaller for later
/// rows, where a byte may also announce a new node.
static bool isStep(int64_t step, bool isFirst) {
  int64_t limit = isFirst ? 125 : 124;
  return step > -limit && step < limit;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// Reads the row after `previous`, which is zero before the first.
static LogicalResult readBinaryRow(KaldiReader &reader, int byte, bool isFirst,
                                   RowIndex &index) {
  if (byte == kSpelledOut)
    return readSpelledOut(reader, index);
  int64_t t = int64_t(index.t) + byte, n = index.n;
  if (byte == kNextN || byte == kNextN - 1) {
    t = index.t;
    n += byte - (kNextN - 1);
  } else if (!isStep(byte, isFirst)) {
    return reader.fail("expects a step in t, 125, 126 or 127 in a list of "
                       "rows, but got byte " +
                       Twine(byte));
  }
  if (t != int32_t(t) || n != int32_t(n))
    return reader.fail("a row of node does not fit in 32 bits");
  index.t = t;
  index.n = n;
  return success();
}

static LogicalResult readBinary(KaldiReader &reader, bool isFirst,
                                Cindex &cindex) {
  StringRef bytes;
  if (failed(reader.readBytes(1, bytes)))
    return failure();
  signed char byte = bytes.front();
  bool isChange = byte == kNode;
  if (isFirst && !isChange)
    return reader.fail("expects '|' before the first row of a node");
  if (isChange) {
    if (failed(reader.readInt32(cindex.first)) ||
        failed(reader.readBytes(1, bytes)))
      return failure();
    byte = bytes.front();
  }
  return readBinaryRow(reader, byte, isFirst, cindex.second);
}

/// Consumes the character `c` after optional blanks.
static LogicalResult expectChar(KaldiReader &reader, char c) {
  reader.skipSpace();
  StringRef bytes;
  if (failed(reader.readBytes(1, bytes)))
    return failure();
  if (bytes.front() != c)
    return reader.fail("expects '" + Twine(c) +
                       "' in a list of rows, but got " +
                       quoteForMessage(bytes));
  return success();
}

/// Reads a node's rows from text: `[node :<I1> n t x <I1> n t x ]`.
static LogicalResult readText(KaldiReader &reader, bool isFirst,
                              Cindex &cindex) {
  bool isChange = isFirst || reader.peekWord().starts_with("]");
  if (isChange && ((!isFirst && failed(expectChar(reader, ']'))) ||
                   failed(expectChar(reader, '[')) ||
                   failed(reader.readInt32(cindex.first)) ||
                   failed(expectChar(reader, ':'))))
    return failure();
  return success(succeeded(reader.expectToken("<I1>")) &&
                 succeeded(readSpelledOut(reader, cindex.second)));
}

static LogicalResult readCindexes(KaldiReader &reader,
                                  std::vector<Cindex> &cindexes) {
  int32_t count;
  cindexes.clear();
  if (failed(reader.expectToken("<I1V>")) || failed(reader.readCount(count)))
    return failure();
  Cindex cindex;
  for (int32_t i = 0; i < count; ++i) {
    if (failed(reader.isBinary() ? readBinary(reader, i == 0, cindex)
                                 : readText(reader, i == 0, cindex)))
      return failure();
    cindexes.push_back(cindex);
  }
  if (reader.isBinary() || count == 0)
    return success();
  return expectChar(reader, ']');
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

static void writeBinaryRow(KaldiWriter &writer, const RowIndex &index,
                           const RowIndex &previous, bool isFirst) {
  auto writeByte = [&](int byte) {
    char c = static_cast<char>(byte);
    writer.writeBytes({&c, 1});
  };
  int64_t step = int64_t(index.t) - previous.t;
  bool sameX = index.x == previous.x;
  if (sameX && index.n == previous.n && isStep(step, isFirst))
    return writeByte(step);
  if (sameX && step == 0 && int64_t(index.n) == int64_t(previous.n) + 1)
    return writeByte(kNextN);
  writeByte(kSpelledOut);
  writeSpelledOut(writer, index);
}

static void writeNode(KaldiWriter &writer, int32_t node, bool isFirst) {
  if (writer.isBinary()) {
    writer.writeBytes({&kNode, 1});
    writer.writeInt32(node);
    return;
  }
  writer.writeBytes(isFirst ? "[" : "][");
  writer.writeInt32(node);
  writer.writeBytes(":");
}

static void writeCindexes(KaldiWriter &writer,
                          const std::vector<Cindex> &cindexes) {
  writer.writeToken("<I1V>");
  writer.writeInt32(cindexes.size());
  Cindex previous;
  for (size_t i = 0; i < cindexes.size(); ++i) {
    const auto &[node, index] = cindexes[i];
    if (i == 0 || node != previous.first)
      writeNode(writer, node, i == 0);
    if (writer.isBinary()) {
      writeBinaryRow(writer, index, previous.second, i == 0);
    } else {
      writer.writeToken("<I1>");
      writeSpelledOut(writer, index);
    }
    previous = cindexes[i];
  }
  if (!writer.isBinary() && !cindexes.empty())
    writer.writeBytes("] ");
}

void nnet3::kaldi::transferCindexes(RecordIo &io,
                                    std::vector<Cindex> &cindexes) {
  if (io.isReading())
    (void)readCindexes(io.getReader(), cindexes);
  else
    writeCindexes(io.getWriter(), cindexes);
}
