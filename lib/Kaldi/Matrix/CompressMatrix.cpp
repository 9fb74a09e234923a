//===- CompressMatrix.cpp - Encoding of compressed matrices ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Like decoding, this follows the arithmetic of spec formats.md 3.1. It uses
// float wherever the reference does, so that the same matrix gives the same
// bytes.
//
//===----------------------------------------------------------------------===//
#include "nnet3/Kaldi/Matrix/CompressedMatrix.h"
#include "llvm/Support/ErrorHandling.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

using namespace nnet3::kaldi;

namespace {
/// The output of a compression method.
struct Encoding {
  CompressedFormat format;
  /// The fixed range of values; unused if the range comes from the matrix.
  bool isFixed = false;
  float minValue = 0;
  float range = 0;
};
} // namespace

static Encoding getEncoding(CompressionMethod method, int64_t rows) {
  using F = CompressedFormat;
  switch (method) {
  case CompressionMethod::Automatic:
    return {rows > 8 ? F::OneByteWithColumnHeaders : F::TwoByte};
  case CompressionMethod::SpeechFeature:
    return {F::OneByteWithColumnHeaders};
  case CompressionMethod::TwoByteAuto:
    return {F::TwoByte};
  case CompressionMethod::TwoByteSigned:
    return {F::TwoByte, true, -32768, 65535};
  case CompressionMethod::OneByteAuto:
    return {F::OneByte};
  case CompressionMethod::OneByteUnsigned:
    return {F::OneByte, true, 0, 255};
  case CompressionMethod::OneByteZeroOne:
    return {F::OneByte, true, 0, 1};
  }
  llvm_unreachable("all methods handled");
}

/// Sets the range from the least to the greatest value; never empty.
static void setRangeOf(const Matrix &matrix, CompressedHeader &header) {
  auto [least, greatest] =
      std::minmax_element(matrix.data.begin(), matrix.data.end());
  float max = *greatest;
  if (max == *least)
    max = *least + 1 + std::abs(*least);
  header.minValue = *least;
  header.range = max - *least;
}

/// Rounds `value` to a code from 0 to `maxCode`; NaN gives 0.
static int roundToCode(double value, int maxCode) {
  if (!(value > 0))
    return 0;
  return value >= maxCode ? maxCode : static_cast<int>(value);
}

/// Returns the code of `value` if `maxCode` codes span the range evenly.
static int encodeUniform(const CompressedHeader &header, float value,
                         int maxCode) {
  float position = (value - header.minValue) / header.range;
  // This form gives NaN the least code.
  if (!(position > 0))
    return 0;
  if (position > 1)
    return maxCode;
  return static_cast<int>(position * static_cast<float>(maxCode) + 0.499);
}

template <typename Code>
static void encodeCells(const Matrix &matrix, CompressedMatrix &result) {
  constexpr int maxCode = std::numeric_limits<Code>::max();
  result.body.resize(matrix.data.size() * sizeof(Code));
  char *to = result.body.data();
  for (float value : matrix.data) {
    Code code = encodeUniform(result.header, value, maxCode);
    std::memcpy(to, &code, sizeof(Code));
    to += sizeof(Code);
  }
}

//===----------------------------------------------------------------------===//
// Columns with percentiles
//===----------------------------------------------------------------------===//

using Percentiles = std::array<uint16_t, 4>;

/// Returns the codes of percentiles 0, 25, 75 and 100 of a column, which
/// strictly increase. A column of fewer than 5 rows stores its sorted values
/// first.
static Percentiles getPercentiles(const CompressedHeader &header,
                                  std::vector<float> column) {
  std::sort(column.begin(), column.end(), [](float a, float b) {
    // NaNs come last, so that this is a strict weak order.
    return a < b || (std::isnan(b) && !std::isnan(a));
  });
  size_t rows = column.size(), quarter = rows / 4;
  std::array<size_t, 4> places = {0, 1, 2, 3};
  if (rows >= 5)
    places = {0, quarter, 3 * quarter, rows - 1};
  constexpr std::array<int, 4> caps = {65532, 65533, 65534, 65535};
  Percentiles result;
  for (size_t i = 0; i < 4; ++i) {
    int least = i == 0 ? 0 : result[i - 1] + 1;
    int code = least;
    if (places[i] < rows)
      code = std::max(least, encodeUniform(header, column[places[i]], 65535));
    result[i] = std::min(code, caps[i]);
  }
  return result;
}

/// Returns the nearest of `count` steps from `from` to `to`.
static int findStep(float value, float from, float to, int count) {
  float position = (value - from) / (to - from);
  return roundToCode(position * static_cast<float>(count) + 0.5, count);
}

static uint8_t encodeBetween(const std::array<float, 4> &p, float value) {
  if (value < p[1])
    return findStep(value, p[0], p[1], 64);
  if (value < p[2])
    return 64 + findStep(value, p[1], p[2], 128);
  return 192 + findStep(value, p[2], p[3], 63);
}

static void encodeColumns(const Matrix &matrix, CompressedMatrix &result) {
  float increment = result.header.range * 1.52590218966964e-05F;
  std::string headers, cells;
  for (int64_t c = 0; c < matrix.cols; ++c) {
    std::vector<float> column(matrix.rows);
    for (int64_t r = 0; r < matrix.rows; ++r)
      column[r] = matrix(r, c);
    Percentiles codes = getPercentiles(result.header, column);
    headers.append(reinterpret_cast<const char *>(codes.data()), sizeof(codes));
    std::array<float, 4> values;
    for (size_t i = 0; i < 4; ++i)
      values[i] = std::fma(increment, codes[i], result.header.minValue);
    for (float value : column)
      cells.push_back(static_cast<char>(encodeBetween(values, value)));
  }
  result.body = headers + cells;
}

CompressedMatrix::CompressedMatrix(const Matrix &matrix,
                                   CompressionMethod method) {
  if (matrix.data.empty())
    return;
  Encoding encoding = getEncoding(method, matrix.rows);
  format = encoding.format;
  header.rows = matrix.rows;
  header.cols = matrix.cols;
  header.minValue = encoding.minValue;
  header.range = encoding.range;
  if (!encoding.isFixed)
    setRangeOf(matrix, header);
  switch (format) {
  case CompressedFormat::OneByteWithColumnHeaders:
    encodeColumns(matrix, *this);
    break;
  case CompressedFormat::TwoByte:
    encodeCells<uint16_t>(matrix, *this);
    break;
  case CompressedFormat::OneByte:
    encodeCells<uint8_t>(matrix, *this);
    break;
  }
}
