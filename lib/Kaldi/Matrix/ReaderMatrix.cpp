//===- ReaderMatrix.cpp - Kaldi's basic encodings: vectors, matrices ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nnet3/Kaldi/IO/Reader.h"
#include "nnet3/Kaldi/Matrix/CompressedMatrix.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"
#include <cstring>

using namespace nnet3::kaldi;
using llvm::failure;
using llvm::function_ref;
using llvm::LogicalResult;
using llvm::StringRef;
using llvm::success;
using llvm::Twine;

static_assert(llvm::endianness::native == llvm::endianness::little,
              "elements are copied as they lie in the file");

/// Copies `count` elements of type From, unaligned, converting them to To.
template <typename From, typename To>
static void copyElements(const char *from, int64_t count, To *to) {
  if constexpr (std::is_same_v<From, To>) {
    // memcpy must not get null, the valid destination of an empty matrix.
    if (count > 0)
      std::memcpy(to, from, count * sizeof(To));
    return;
  }
  for (int64_t i = 0; i < count; ++i) {
    From value;
    std::memcpy(&value, from + i * sizeof(From), sizeof(From));
    to[i] = static_cast<To>(value);
  }
}

template <typename To>
static void copyElements(size_t width, const char *from, int64_t count,
                         To *to) {
  if (width == sizeof(float))
    return copyElements<float>(from, count, to);
  copyElements<double>(from, count, to);
}

/// Bytes between two releases of memory.
static constexpr size_t releaseSize = 8 << 20;

void KaldiReader::releaseRead() {
  if (!release || pos - released < releaseSize)
    return;
  release(StringRef(data + released, pos - released));
  released = pos;
}

/// Reads `count` elements of `width` bytes, which must be in memory. A large
/// matrix is read in pieces, and the memory of each is released.
template <typename T>
void KaldiReader::takeElements(size_t width, uint64_t count, T *to) {
  while (count > 0) {
    uint64_t piece = std::min<uint64_t>(count, releaseSize / width);
    copyElements(width, data + pos, piece, to);
    pos += piece * width;
    to += piece;
    count -= piece;
    releaseRead();
  }
}

/// Marks the vector or matrix that began at offset `start` as the current item,
/// if it is still in memory: errors that the caller finds in it get its
/// position.
void KaldiReader::endItem(uint64_t start) {
  if (start >= baseOffset)
    item = start - baseOffset;
}

/// Describes a body that is shorter than its header says.
static std::string describeShortBody(uint64_t expected, size_t available,
                                     const char *unit = "bytes of elements") {
  return "expects " + std::to_string(expected) + " " + unit +
         ", but the file has only " + std::to_string(available) + " more";
}

LogicalResult KaldiReader::readBytes(uint64_t count, StringRef &bytes) {
  if (error)
    return failure();
  beginItem();
  if (!ensure(count))
    return fail(describeShortBody(count, size - pos, "bytes"));
  bytes = StringRef(data + pos, count);
  pos += count;
  return success();
}

//===----------------------------------------------------------------------===//
// Integer vectors
//===----------------------------------------------------------------------===//

/// Reads the size byte (that of one integer) and the count, and checks that
/// `count` elements of `bytesEach` follow.
LogicalResult KaldiReader::readCount(int64_t &count, size_t bytesEach) {
  beginItem();
  if (!ensure(1 + sizeof(int32_t)))
    return failAtEnd("a vector of integers");
  if (data[pos] != sizeof(int32_t))
    return fail("expects a vector of 4-byte integers, but got size byte " +
                Twine(static_cast<int>(static_cast<signed char>(data[pos]))));
  count = llvm::support::endian::read<int32_t, llvm::endianness::little>(
      data + pos + 1);
  if (count < 0)
    return fail("expects a count of at least 0, but got " + Twine(count));
  pos += 1 + sizeof(int32_t);
  if (!ensure(count * bytesEach))
    return fail(describeShortBody(count * bytesEach, size - pos));
  return success();
}

LogicalResult KaldiReader::expectOpeningBracket(StringRef what) {
  skipSpace();
  int c = peek();
  if (c < 0)
    return failAtEnd(what);
  if (c != '[')
    return failOnWord("'[' of " + what, scanWord(""));
  ++pos;
  return success();
}

LogicalResult KaldiReader::readIntVector(std::vector<int32_t> &values) {
  if (error)
    return failure();
  values.clear();
  if (binary) {
    int64_t count;
    if (failed(readCount(count, sizeof(int32_t))))
      return failure();
    values.resize(count);
    copyElements<int32_t>(data + pos, count, values.data());
    pos += count * sizeof(int32_t);
    return success();
  }
  if (failed(expectOpeningBracket("a vector of integers")))
    return failure();
  while (skipSpace(), peek() != ']') {
    if (failed(readTextInteger(values.emplace_back())))
      return failure();
  }
  ++pos;
  return success();
}

LogicalResult KaldiReader::readIntPairVector(
    std::vector<std::pair<int32_t, int32_t>> &values) {
  if (error)
    return failure();
  values.clear();
  if (binary) {
    int64_t count;
    if (failed(readCount(count, 2 * sizeof(int32_t))))
      return failure();
    values.resize(count);
    for (auto &[first, second] : values) {
      copyElements<int32_t>(data + pos, 1, &first);
      copyElements<int32_t>(data + pos + sizeof(int32_t), 1, &second);
      pos += 2 * sizeof(int32_t);
    }
    return success();
  }
  if (failed(expectOpeningBracket("a vector of integer pairs")))
    return failure();
  while (skipSpace(), peek() != ']') {
    auto &[first, second] = values.emplace_back();
    if (failed(readTextInteger(first)))
      return failure();
    skipSpace();
    if (peek() != ',')
      return failOnWord("',' between two integers", scanWord(""));
    ++pos;
    if (failed(readTextInteger(second)))
      return failure();
  }
  ++pos;
  return success();
}

//===----------------------------------------------------------------------===//
// Vectors
//===----------------------------------------------------------------------===//

/// Skips the line end after a vector or matrix in text.
void KaldiReader::skipLineEnd() {
  if (peek() == '\r' && ensure(2) && data[pos + 1] == '\n')
    ++pos;
  if (peek() == '\n')
    ++pos;
}

template <typename T>
LogicalResult KaldiReader::readTextVector(std::vector<T> &values) {
  if (failed(expectOpeningBracket("a vector")))
    return failure();
  while (true) {
    int c = peek();
    if (c == ']')
      break;
    beginItem();
    if (c == '\n')
      return fail("expects a vector on one line, but got a line end");
    if (c == ' ' || c == '\t' || c == '\r') {
      ++pos;
      continue;
    }
    if (failed(readTextReal(values.emplace_back())))
      return failure();
  }
  ++pos;
  skipLineEnd();
  return success();
}

template <typename T>
LogicalResult KaldiReader::readVectorOf(function_ref<T *(int64_t)> allocate) {
  if (error)
    return failure();
  if (!binary) {
    std::vector<T> values;
    skipSpace();
    uint64_t start = getOffset();
    if (failed(readTextVector(values)))
      return failure();
    endItem(start);
    T *out = allocate(values.size());
    if (!out && !values.empty())
      return fail("unexpected vector of dim " + Twine(values.size()));
    std::copy(values.begin(), values.end(), out);
    releaseRead();
    return success();
  }
  std::string token;
  int32_t dim;
  if (failed(readToken(token)))
    return failure();
  if (token != "FV" && token != "DV")
    return failOnWord("a vector (FV or DV)", token);
  size_t width = token == "FV" ? sizeof(float) : sizeof(double);
  if (failed(readInt32(dim)))
    return failure();
  if (dim < 0)
    return fail("expects a dim of at least 0, but got " + Twine(dim));
  if (!ensure(dim * width))
    return fail(describeShortBody(dim * width, size - pos));
  T *out = allocate(dim);
  if (!out && dim > 0)
    return fail("unexpected vector of dim " + Twine(dim));
  takeElements(width, dim, out);
  return success();
}

LogicalResult KaldiReader::readVector(function_ref<float *(int64_t)> allocate) {
  return readVectorOf<float>(allocate);
}

LogicalResult KaldiReader::readVector(std::vector<float> &values) {
  return readVectorOf<float>([&](int64_t dim) {
    values.resize(dim);
    return values.data();
  });
}

LogicalResult KaldiReader::readVector(std::vector<double> &values) {
  return readVectorOf<double>([&](int64_t dim) {
    values.resize(dim);
    return values.data();
  });
}

//===----------------------------------------------------------------------===//
// Matrices
//===----------------------------------------------------------------------===//

template <typename T>
LogicalResult KaldiReader::readTextMatrix(BasicMatrix<T> &matrix) {
  if (failed(expectOpeningBracket("a matrix")))
    return failure();
  int64_t inRow = 0;
  auto endRow = [&]() -> LogicalResult {
    if (inRow == 0)
      return success();
    if (matrix.rows > 0 && inRow != matrix.cols)
      return fail("expects " + Twine(matrix.cols) + " values in row " +
                  Twine(matrix.rows) + ", but got " + Twine(inRow));
    matrix.cols = inRow;
    ++matrix.rows;
    inRow = 0;
    return success();
  };
  while (true) {
    int c = peek();
    beginItem();
    if (c == '\n' || c == ';' || c == ']') {
      if (failed(endRow()))
        return failure();
      ++pos;
      if (c == ']')
        break;
    } else if (c >= 0 && llvm::isSpace(static_cast<char>(c))) {
      ++pos;
    } else {
      if (failed(readTextReal(matrix.data.emplace_back())))
        return failure();
      ++inRow;
    }
  }
  skipLineEnd();
  return success();
}

/// Calls `allocate`, and treats an empty matrix as 0 by 0.
template <typename T>
static T *allocateMatrix(function_ref<T *(int64_t, int64_t)> allocate,
                         int64_t rows, int64_t cols) {
  if (rows == 0 || cols == 0)
    return allocate(0, 0);
  return allocate(rows, cols);
}

static std::string describeUnexpectedSize(int64_t rows, int64_t cols) {
  return "unexpected matrix of " + std::to_string(rows) + " by " +
         std::to_string(cols);
}

template <typename T>
LogicalResult
KaldiReader::readDenseBody(size_t width,
                           function_ref<T *(int64_t, int64_t)> allocate) {
  int32_t rows, cols;
  if (failed(readInt32(rows)) || failed(readInt32(cols)))
    return failure();
  if (rows < 0 || cols < 0)
    return fail("expects matrix dims of at least 0, but got " + Twine(rows) +
                " by " + Twine(cols));
  int64_t cells = static_cast<int64_t>(rows) * cols;
  uint64_t bytes = llvm::SaturatingMultiply<uint64_t>(cells, width);
  if (!ensure(bytes))
    return fail(describeShortBody(bytes, size - pos));
  T *out = allocateMatrix(allocate, rows, cols);
  if (!out && cells > 0)
    return fail(describeUnexpectedSize(rows, cols));
  takeElements(width, cells, out);
  return success();
}

template <typename T>
LogicalResult
KaldiReader::readCompressedBody(int number,
                                function_ref<T *(int64_t, int64_t)> allocate) {
  auto format = static_cast<CompressedFormat>(number);
  beginItem();
  if (!ensure(CompressedHeader::numBytes))
    return failAtEnd("the header of a compressed matrix");
  CompressedHeader header(data + pos);
  if (header.rows < 0 || header.cols < 0)
    return fail("expects matrix dims of at least 0, but got " +
                Twine(header.rows) + " by " + Twine(header.cols));
  pos += CompressedHeader::numBytes;
  if (header.rows == 0 || header.cols == 0) {
    allocate(0, 0);
    return success();
  }
  uint64_t bytes = getCompressedBodySize(format, header);
  if (!ensure(bytes))
    return fail(describeShortBody(bytes, size - pos));
  T *out = allocate(header.rows, header.cols);
  if (!out)
    return fail(describeUnexpectedSize(header.rows, header.cols));
  decodeCompressedMatrix(format, header, data + pos, out);
  pos += bytes;
  releaseRead();
  return success();
}

template <typename T>
LogicalResult
KaldiReader::readMatrixOf(function_ref<T *(int64_t, int64_t)> allocate) {
  if (error)
    return failure();
  if (!binary) {
    BasicMatrix<T> matrix;
    skipSpace();
    uint64_t start = getOffset();
    if (failed(readTextMatrix(matrix)))
      return failure();
    endItem(start);
    T *out = allocateMatrix(allocate, matrix.rows, matrix.cols);
    if (!out && !matrix.data.empty())
      return fail(describeUnexpectedSize(matrix.rows, matrix.cols));
    std::copy(matrix.data.begin(), matrix.data.end(), out);
    releaseRead();
    return success();
  }
  std::string token;
  if (failed(readToken(token)))
    return failure();
  if (token == "FM" || token == "DM")
    return readDenseBody(token == "FM" ? sizeof(float) : sizeof(double),
                         allocate);
  if (token == "CM")
    return readCompressedBody(1, allocate);
  if (token == "CM2" || token == "CM3")
    return readCompressedBody(token.back() - '0', allocate);
  return failOnWord("a matrix (FM, DM, CM, CM2 or CM3)", token);
}

LogicalResult
KaldiReader::readMatrix(function_ref<float *(int64_t, int64_t)> allocate) {
  return readMatrixOf<float>(allocate);
}

/// Returns an allocator that resizes `matrix` and returns its elements.
template <typename T> static auto allocateIn(BasicMatrix<T> &matrix) {
  return [&matrix](int64_t rows, int64_t cols) {
    matrix.rows = rows;
    matrix.cols = cols;
    matrix.data.resize(rows * cols);
    return matrix.data.data();
  };
}

LogicalResult KaldiReader::readMatrix(Matrix &matrix) {
  return readMatrixOf<float>(allocateIn(matrix));
}

LogicalResult KaldiReader::readMatrix(DoubleMatrix &matrix) {
  return readMatrixOf<double>(allocateIn(matrix));
}
