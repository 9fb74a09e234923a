//===- GeneralMatrixFile.cpp - Reading and writing of any matrix form -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nnet3/Kaldi/IO/Reader.h"
#include "nnet3/Kaldi/IO/Writer.h"
#include "nnet3/Kaldi/Matrix/GeneralMatrix.h"
#include "llvm/ADT/StringExtras.h"

using namespace nnet3::kaldi;
using llvm::failed;
using llvm::failure;
using llvm::LogicalResult;
using llvm::StringRef;
using llvm::success;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// Compressed matrices
//===----------------------------------------------------------------------===//

/// Reads the data after `token`, which is CM, CM2 or CM3.
static LogicalResult readCompressed(KaldiReader &reader, StringRef token,
                                    CompressedMatrix &matrix) {
  StringRef bytes;
  if (failed(reader.readBytes(CompressedHeader::numBytes, bytes)))
    return failure();
  CompressedHeader header(bytes.data());
  if (header.rows < 0 || header.cols < 0)
    return reader.fail("expects matrix dims of at least 0, but got " +
                       Twine(header.rows) + " by " + Twine(header.cols));
  matrix = CompressedMatrix();
  if (header.rows == 0 || header.cols == 0)
    return success();
  matrix.header = header;
  matrix.format = token == "CM"
                      ? CompressedFormat::OneByteWithColumnHeaders
                      : static_cast<CompressedFormat>(token.back() - '0');
  uint64_t size = getCompressedBodySize(matrix.format, header);
  if (failed(reader.readBytes(size, bytes)))
    return failure();
  matrix.body = bytes.str();
  return success();
}

static void write(KaldiWriter &writer, const CompressedMatrix &matrix) {
  if (!writer.isBinary())
    return writer.writeMatrix(matrix.decode());
  int number = static_cast<int>(matrix.format);
  writer.writeToken(number == 1 ? "CM" : "CM" + std::to_string(number));
  const CompressedHeader &header = matrix.header;
  writer.writeBytes(
      {reinterpret_cast<const char *>(&header), CompressedHeader::numBytes});
  writer.writeBytes(matrix.body);
}

//===----------------------------------------------------------------------===//
// Sparse matrices
//===----------------------------------------------------------------------===//

static LogicalResult failOnCount(KaldiReader &reader, int32_t count) {
  return reader.fail("expects a count of at least 0, but got " + Twine(count));
}

/// Reads `KEY=NUMBER` of a sparse matrix in text.
static LogicalResult readTextCount(KaldiReader &reader, StringRef key,
                                   int32_t &count) {
  std::string word;
  if (failed(reader.readToken(word)))
    return failure();
  StringRef digits = word;
  if (!digits.consume_front(key) || digits.getAsInteger(10, count) || count < 0)
    return reader.fail("expects '" + key + "' and a count, but got " +
                       quoteForMessage(word));
  return success();
}

static LogicalResult readElement(KaldiReader &reader, int32_t cols,
                                 SparseRow &row) {
  int32_t column;
  float value;
  if (failed(reader.readInt32(column)))
    return failure();
  if (column < 0 || column >= cols)
    return reader.fail("expects a column below " + Twine(cols) + ", but got " +
                       Twine(column));
  if (!row.empty() && column <= row.back().first)
    return reader.fail("expects columns that increase, but got " +
                       Twine(column) + " after " + Twine(row.back().first));
  if (failed(reader.readFloat(value)))
    return failure();
  row.emplace_back(column, value);
  return success();
}

static LogicalResult readBinaryRow(KaldiReader &reader, int32_t &cols,
                                   SparseRow &row) {
  int32_t count;
  if (failed(reader.expectToken("SV")) || failed(reader.readInt32(cols)) ||
      failed(reader.readInt32(count)))
    return failure();
  if (cols < 0 || count < 0)
    return failOnCount(reader, std::min(cols, count));
  for (int32_t i = 0; i < count; ++i)
    if (failed(readElement(reader, cols, row)))
      return failure();
  return success();
}

static LogicalResult readTextRow(KaldiReader &reader, int32_t &cols,
                                 SparseRow &row) {
  if (failed(readTextCount(reader, "dim=", cols)) ||
      failed(reader.expectToken("[")))
    return failure();
  while (reader.peekToken() != ']')
    if (failed(readElement(reader, cols, row)))
      return failure();
  return reader.expectToken("]");
}

/// Reads a sparse matrix, which begins with `SM` or `rows=`.
static LogicalResult readSparse(KaldiReader &reader, SparseMatrix &matrix) {
  int32_t rows;
  if (reader.isBinary()) {
    if (failed(reader.expectToken("SM")) || failed(reader.readInt32(rows)))
      return failure();
  } else if (failed(readTextCount(reader, "rows=", rows))) {
    return failure();
  }
  if (rows < 0)
    return failOnCount(reader, rows);
  matrix = SparseMatrix();
  for (int32_t r = 0; r < rows; ++r) {
    int32_t cols = 0;
    SparseRow &row = matrix.rows.emplace_back();
    if (failed(reader.isBinary() ? readBinaryRow(reader, cols, row)
                                 : readTextRow(reader, cols, row)))
      return failure();
    if (r > 0 && cols != matrix.cols)
      return reader.fail("expects rows of one dim, but got " + Twine(cols) +
                         " in row " + Twine(r));
    matrix.cols = cols;
  }
  return success();
}

static void write(KaldiWriter &writer, const SparseRow &row, int32_t cols) {
  if (writer.isBinary()) {
    writer.writeToken("SV");
    writer.writeInt32(cols);
    writer.writeInt32(row.size());
  } else {
    writer.writeToken("dim=" + std::to_string(cols));
    writer.writeToken("[");
  }
  for (auto [column, value] : row) {
    writer.writeInt32(column);
    writer.writeFloat(value);
  }
  if (!writer.isBinary())
    writer.writeToken("]");
}

static void write(KaldiWriter &writer, const SparseMatrix &matrix) {
  if (matrix.rows.empty())
    return writer.writeMatrix(Matrix());
  if (writer.isBinary()) {
    writer.writeToken("SM");
    writer.writeInt32(matrix.rows.size());
  } else {
    writer.writeToken("rows=" + std::to_string(matrix.rows.size()));
  }
  for (const SparseRow &row : matrix.rows)
    write(writer, row, matrix.cols);
  writer.writeNewline();
}

//===----------------------------------------------------------------------===//
// All forms
//===----------------------------------------------------------------------===//

template <typename T>
static LogicalResult readInto(KaldiReader &reader, GeneralMatrix &matrix) {
  return reader.readMatrix(matrix.emplace<T>());
}

LogicalResult nnet3::kaldi::readGeneralMatrix(KaldiReader &reader,
                                              GeneralMatrix &matrix) {
  int first = reader.peekToken();
  if (first == (reader.isBinary() ? 'S' : 'r'))
    return readSparse(reader, matrix.emplace<SparseMatrix>());
  if (!reader.isBinary())
    return readInto<Matrix>(reader, matrix);
  if (first == 'D')
    return readInto<DoubleMatrix>(reader, matrix);
  StringRef word = reader.peekWord();
  if (word != "CM" && word != "CM2" && word != "CM3")
    return readInto<Matrix>(reader, matrix);
  std::string token;
  if (failed(reader.readToken(token)))
    return failure();
  return readCompressed(reader, token, matrix.emplace<CompressedMatrix>());
}

static void write(KaldiWriter &writer, const Matrix &matrix) {
  writer.writeMatrix(matrix);
}

static void write(KaldiWriter &writer, const DoubleMatrix &matrix) {
  writer.writeMatrix(matrix);
}

void nnet3::kaldi::writeGeneralMatrix(KaldiWriter &writer,
                                      const GeneralMatrix &matrix) {
  std::visit([&](const auto &m) { write(writer, m); }, matrix);
}

//===----------------------------------------------------------------------===//
// Vectors
//===----------------------------------------------------------------------===//

LogicalResult nnet3::kaldi::readGeneralVector(KaldiReader &reader,
                                              GeneralVector &vector) {
  if (reader.isBinary() && reader.peekToken() == 'D')
    return reader.readVector(vector.emplace<std::vector<double>>());
  return reader.readVector(vector.emplace<std::vector<float>>());
}

void nnet3::kaldi::writeGeneralVector(KaldiWriter &writer,
                                      const GeneralVector &vector) {
  std::visit([&](const auto &v) { writer.writeVector(llvm::ArrayRef(v)); },
             vector);
}
