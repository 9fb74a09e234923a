//===- CompressedMatrix.cpp - Decoding of compressed matrices -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This follows the arithmetic of spec formats.md 3.1 to the last bit: rounding
// of products to float and fused multiply-adds change the last digit of a
// feature.
//
//===----------------------------------------------------------------------===//
#include "nnet3/Kaldi/Matrix/CompressedMatrix.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"
#include <array>
#include <cmath>
#include <limits>

using namespace nnet3::kaldi;

template <typename T> static T load(const char *from) {
  return llvm::support::endian::read<T, llvm::endianness::little>(from);
}

CompressedHeader::CompressedHeader(const char *bytes)
    : minValue(load<float>(bytes)), range(load<float>(bytes + 4)),
      rows(load<int32_t>(bytes + 8)), cols(load<int32_t>(bytes + 12)) {}

/// Bytes of the percentiles 0, 25, 75 and 100 of a column, two bytes each.
static constexpr size_t columnHeaderSize = 8;

uint64_t nnet3::kaldi::getCompressedBodySize(CompressedFormat format,
                                             const CompressedHeader &header) {
  uint64_t cells = llvm::SaturatingMultiply<uint64_t>(header.rows, header.cols);
  switch (format) {
  case CompressedFormat::OneByteWithColumnHeaders:
    return llvm::SaturatingAdd<uint64_t>(cells, header.cols * columnHeaderSize);
  case CompressedFormat::TwoByte:
    return llvm::SaturatingMultiply<uint64_t>(cells, 2);
  case CompressedFormat::OneByte:
    return cells;
  }
  llvm_unreachable("all formats handled");
}

namespace {
/// The piecewise linear map from the bytes of a column to values.
class ColumnDecoder {
public:
  ColumnDecoder(const CompressedHeader &header, const char *columnHeader) {
    float increment = header.range * 1.52590218966964e-05F;
    for (size_t i = 0; i < 4; ++i)
      percentiles[i] = std::fma(increment, load<uint16_t>(columnHeader + 2 * i),
                                header.minValue);
  }

  float decode(uint8_t byte) const {
    auto [p0, p25, p75, p100] = percentiles;
    if (byte <= 64)
      return interpolate(p0, p25, byte, 1 / 64.0);
    if (byte <= 192)
      return interpolate(p25, p75, byte - 64, 1 / 128.0);
    return interpolate(p75, p100, byte - 192, 1 / 63.0);
  }

private:
  static float interpolate(float from, float to, int step, double factor) {
    float product = (to - from) * static_cast<float>(step);
    return static_cast<float>(from + product * factor);
  }

  std::array<float, 4> percentiles;
};
} // namespace

template <typename T>
static void decodeColumns(const CompressedHeader &header, const char *body,
                          T *out) {
  int64_t rows = header.rows, cols = header.cols;
  const char *cells = body + cols * columnHeaderSize;
  for (int64_t c = 0; c < cols; ++c) {
    ColumnDecoder decoder(header, body + c * columnHeaderSize);
    for (int64_t r = 0; r < rows; ++r)
      out[r * cols + c] =
          decoder.decode(static_cast<uint8_t>(cells[c * rows + r]));
  }
}

/// Decodes codes that span the range evenly.
template <typename Code, typename T>
static void decodeUniform(const CompressedHeader &header, const char *body,
                          T *out) {
  constexpr double maxCode = std::numeric_limits<Code>::max();
  float increment = static_cast<float>(header.range / maxCode);
  int64_t cells = static_cast<int64_t>(header.rows) * header.cols;
  for (int64_t i = 0; i < cells; ++i)
    out[i] = std::fma(static_cast<float>(load<Code>(body + i * sizeof(Code))),
                      increment, header.minValue);
}

template <typename T>
void nnet3::kaldi::decodeCompressedMatrix(CompressedFormat format,
                                          const CompressedHeader &header,
                                          const char *body, T *out) {
  switch (format) {
  case CompressedFormat::OneByteWithColumnHeaders:
    return decodeColumns(header, body, out);
  case CompressedFormat::TwoByte:
    return decodeUniform<uint16_t>(header, body, out);
  case CompressedFormat::OneByte:
    return decodeUniform<uint8_t>(header, body, out);
  }
}

template void nnet3::kaldi::decodeCompressedMatrix(CompressedFormat,
                                                   const CompressedHeader &,
                                                   const char *, float *);
template void nnet3::kaldi::decodeCompressedMatrix(CompressedFormat,
                                                   const CompressedHeader &,
                                                   const char *, double *);

Matrix CompressedMatrix::decode() const {
  Matrix result(header.rows, header.cols);
  if (!result.data.empty())
    decodeCompressedMatrix(format, header, body.data(), result.data.data());
  return result;
}

/// Appends the headers of the columns to `to`, then their codes column by
/// column, `size.rows` bytes each.
static void extractColumns(const CompressedMatrix &from, int64_t firstRow,
                           int64_t firstCol, CompressedHeader size,
                           std::string &to) {
  int64_t rows = from.header.rows;
  to += from.body.substr(firstCol * columnHeaderSize,
                         size.cols * columnHeaderSize);
  const char *cells = from.body.data() + from.header.cols * columnHeaderSize;
  for (int64_t c = firstCol; c < firstCol + size.cols; ++c)
    to.append(cells + c * rows + firstRow, size.rows);
}

CompressedMatrix CompressedMatrix::extract(int64_t firstRow, int64_t rows,
                                           int64_t firstCol,
                                           int64_t cols) const {
  CompressedMatrix result;
  result.format = format;
  result.header = header;
  result.header.rows = rows;
  result.header.cols = cols;
  if (format == CompressedFormat::OneByteWithColumnHeaders) {
    extractColumns(*this, firstRow, firstCol, result.header, result.body);
    return result;
  }
  size_t width = format == CompressedFormat::TwoByte ? 2 : 1;
  for (int64_t r = firstRow; r < firstRow + rows; ++r)
    result.body.append(body, (r * header.cols + firstCol) * width,
                       cols * width);
  return result;
}

CompressedMatrix
CompressedMatrix::selectRows(llvm::ArrayRef<int64_t> rows) const {
  CompressedMatrix result;
  result.format = format;
  result.header = header;
  result.header.rows = rows.size();
  if (format != CompressedFormat::OneByteWithColumnHeaders) {
    size_t width = header.cols * (format == CompressedFormat::TwoByte ? 2 : 1);
    for (int64_t r : rows)
      result.body.append(body, r * width, width);
    return result;
  }
  const size_t headers = header.cols * columnHeaderSize;
  result.body = body.substr(0, headers);
  for (int64_t c = 0; c < header.cols; ++c)
    for (int64_t r : rows)
      result.body += body[headers + c * header.rows + r];
  return result;
}
