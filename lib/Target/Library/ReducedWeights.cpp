//===- ReducedWeights.cpp - Weights of less than f32 ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ReducedWeights.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/bit.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

using namespace mlir::nnet3;

/// The nearest bf16, the upper half of an f32; of two the even one.
static uint16_t toBf16(float value) {
  uint32_t bits = llvm::bit_cast<uint32_t>(value);
  if (std::isnan(value))
    return (bits | 0x400000) >> 16;
  return (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
}

/// The nearest fp16; of two the even one.
static uint16_t toFp16(float value) {
  const uint32_t bits = llvm::bit_cast<uint32_t>(value);
  const uint32_t sign = bits >> 16 & 0x8000;
  const float size = std::abs(value);
  if (std::isnan(value))
    return sign | 0x7e00;
  if (size >= 65520)
    return sign | 0x7c00;
  // Below the smallest one with an exponent, steps are as large as there.
  if (size < std::ldexp(1.0f, -14))
    return sign | uint16_t(std::nearbyint(std::ldexp(size, 24)));
  const uint32_t magnitude = (bits & 0x7fffffff) - (uint32_t(112) << 23);
  return sign | ((magnitude + 0xfff + (magnitude >> 13 & 1)) >> 13);
}

/// The largest magnitude of an integer.
template <typename T>
static constexpr float kLargest = std::numeric_limits<T>::max();

/// The largest sum of the positive integers of a row of int16, and of the
/// magnitudes of the negative ones. Rows of inputs have integers of which the
/// smallest and the largest differ by at most 4095, and zero is between these:
/// no sum of products is larger than 4095 times the larger one of both sums,
/// which has 31 bits.
static constexpr double kLargestSum = (1 << 19) - 1;

/// The scale of a row as integers of type `T`.
template <typename T> static float getScale(llvm::ArrayRef<float> row) {
  float largest = 0;
  double positive = 0, negative = 0;
  for (float value : row) {
    largest = std::max(largest, std::abs(value));
    (value > 0 ? positive : negative) += std::abs(value);
  }
  const float scale = largest / kLargest<T>;
  if (sizeof(T) == 1)
    return scale;
  // Each integer may be rounded up by a half.
  const double room = kLargestSum - 1 - double(row.size()) / 2;
  return std::max(scale, float(std::max(positive, negative) / room));
}

/// A row as integers that are to be multiplied by `scale`.
template <typename T>
static std::vector<T> toIntegers(llvm::ArrayRef<float> row, float scale) {
  std::vector<T> result(row.size());
  if (scale > 0)
    for (size_t k = 0; k < row.size(); ++k)
      result[k] =
          std::clamp(std::nearbyint(row[k] / scale), -kLargest<T>, kLargest<T>);
  return result;
}

template <typename T>
static std::vector<T> toIntegers(llvm::ArrayRef<float> row) {
  return toIntegers<T>(row, getScale<T>(row));
}

/// Writes a row of the weights as column `c` of its panel, numbers of type `T`;
/// what fills up words stays as it is.
template <typename T>
static void packColumn(llvm::ArrayRef<T> row, int64_t c, int64_t depth,
                       const PanelLayout &layout) {
  constexpr int64_t kNumbers = 4 / sizeof(T);
  // Numbers between neighbouring columns, and between those of one word.
  const int64_t step = layout.planes ? 1 : kNumbers;
  const int64_t next = layout.planes ? layout.width : 1;
  auto *panel = reinterpret_cast<char *>(
                    layout.dest + c / layout.width * layout.width * depth) +
                c % layout.width * step * sizeof(T);
  int64_t word = 0;
  for (size_t i = 0; i < layout.columns.size(); i += 2) {
    const int64_t first = layout.columns[i], count = layout.columns[i + 1];
    for (int64_t k = 0; k < count; ++k)
      std::memcpy(panel + (word + k / kNumbers) * layout.width * 4 +
                      k % kNumbers * next * sizeof(T),
                  &row[first + k], sizeof(T));
    word += (count + kNumbers - 1) / kNumbers;
  }
}

int64_t mlir::nnet3::getPackedWords(llvm::ArrayRef<int64_t> columns,
                                    int64_t numbers) {
  int64_t depth = 0;
  for (size_t i = 0; i < columns.size(); i += 2)
    depth += (columns[i + 1] + numbers - 1) / numbers;
  return depth;
}

static void packHalves(const WeightMatrix &weights, const PanelLayout &layout,
                       uint16_t (*convert)(float)) {
  const int64_t depth = getPackedWords(layout.columns, 2);
  std::vector<uint16_t> row(weights.columns);
  for (int64_t c = 0; c < weights.getRows(); ++c) {
    std::transform(weights.getRow(c).begin(), weights.getRow(c).end(),
                   row.begin(), convert);
    packColumn(llvm::ArrayRef(row), c, depth, layout);
  }
}

void mlir::nnet3::packBf16Panels(const WeightMatrix &weights,
                                 const PanelLayout &layout) {
  packHalves(weights, layout, toBf16);
}

void mlir::nnet3::packFp16Panels(const WeightMatrix &weights,
                                 const PanelLayout &layout) {
  packHalves(weights, layout, toFp16);
}

/// Packs pairs of neighbouring integers into integers of 16 bits. A shift by 8
/// bits gives the second integer of a pair. Zeros fill up the words.
static std::vector<int16_t> pairUp(llvm::ArrayRef<int8_t> row,
                                   llvm::ArrayRef<int64_t> columns) {
  std::vector<int16_t> result(2 * getPackedWords(columns, 4));
  auto half = result.begin();
  for (size_t i = 0; i < columns.size(); i += 2) {
    llvm::ArrayRef<int8_t> slice = row.slice(columns[i], columns[i + 1]);
    for (size_t k = 0; k < slice.size(); k += 2) {
      const int second = k + 1 < slice.size() ? slice[k + 1] : 0;
      half[k / 2] = 256 * second + slice[k] + 128;
    }
    half += 2 * ((slice.size() + 3) / 4);
  }
  return result;
}

void mlir::nnet3::packInt8Panels(const WeightMatrix &weights,
                                 const PanelLayout &layout) {
  const int64_t depth = getPackedWords(layout.columns, 4);
  const int64_t halves[] = {0, 2 * depth};
  for (int64_t c = 0; c < weights.getRows(); ++c) {
    auto row = toIntegers<int8_t>(weights.getRow(c));
    if (layout.planes)
      packColumn(llvm::ArrayRef(pairUp(row, layout.columns)), c, depth,
                 {layout.width, halves, layout.dest, layout.planes});
    else
      packColumn(llvm::ArrayRef(row), c, depth, layout);
  }
}

void mlir::nnet3::packInt16Panels(const WeightMatrix &weights,
                                  const PanelLayout &layout) {
  const int64_t depth = getPackedWords(layout.columns, 2);
  for (int64_t c = 0; c < weights.getRows(); ++c)
    packColumn(llvm::ArrayRef(toIntegers<int16_t>(weights.getRow(c))), c, depth,
               layout);
}

template <typename T>
static void packScales(const WeightMatrix &weights, float *dest) {
  for (int64_t c = 0; c < weights.getRows(); ++c)
    dest[c] = getScale<T>(weights.getRow(c));
}

template <typename T>
static void packSums(const WeightMatrix &weights,
                     llvm::ArrayRef<int64_t> columns, float *dest) {
  for (int64_t c = 0; c < weights.getRows(); ++c) {
    auto row = toIntegers<T>(weights.getRow(c));
    int32_t sum = 0;
    for (size_t i = 0; i < columns.size(); i += 2)
      for (int64_t k = 0; k < columns[i + 1]; ++k)
        sum += row[columns[i] + k];
    std::memcpy(dest + c, &sum, sizeof(sum));
  }
}

void mlir::nnet3::packIntegerScales(const WeightMatrix &weights,
                                    kernel::Precision precision, float *dest) {
  if (precision == kernel::Precision::Int16)
    packScales<int16_t>(weights, dest);
  else
    packScales<int8_t>(weights, dest);
}

void mlir::nnet3::packIntegerSums(const WeightMatrix &weights,
                                  kernel::Precision precision,
                                  llvm::ArrayRef<int64_t> columns,
                                  float *dest) {
  if (precision == kernel::Precision::Int16)
    packSums<int16_t>(weights, columns, dest);
  else
    packSums<int8_t>(weights, columns, dest);
}
