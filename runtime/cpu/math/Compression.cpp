//===- Compression.cpp - Compression to small integers --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spec: optimize.md 4.11. Kaldi compresses on GPUs only, this runtime on CPUs,
// too.
//
//===----------------------------------------------------------------------===//

#include "Compression.h"

#include <cmath>
#include <limits>

namespace nnet3 {
namespace rt {

using schema::CompressedType;

/// Calls \p fn with a zero of the type.
template <typename Function>
static void withType(CompressedType type, Function fn) {
  switch (type) {
  case CompressedType::Int8:
    return fn(int8_t());
  case CompressedType::UInt8:
    return fn(uint8_t());
  case CompressedType::Int16:
    return fn(int16_t());
  case CompressedType::UInt16:
    return fn(uint16_t());
  }
}

uint64_t compressedSize(CompressedType type) {
  uint64_t size = 0;
  withType(type, [&](auto zero) { size = sizeof(zero); });
  return size;
}

template <typename T>
static void compressRow(int32_t n, const float *src, float scale, T *dst) {
  constexpr float least = std::numeric_limits<T>::min();
  constexpr float largest = std::numeric_limits<T>::max();
  for (int32_t i = 0; i < n; ++i) {
    const float value = src[i] * scale;
    // NaN becomes `least`.
    const float clipped = !(value > least)  ? least
                          : value > largest ? largest
                                            : value;
    dst[i] = static_cast<T>(std::lrintf(clipped));
  }
}

template <typename T>
static void compressSigns(int32_t n, const float *src, T *dst) {
  for (int32_t i = 0; i < n; ++i)
    dst[i] = src[i] > 0;
}

void compress(ConstMatrixView src, CompressedType type, float range,
              void *dst) {
  withType(type, [&](auto zero) {
    using T = decltype(zero);
    const float scale =
        static_cast<float>(std::numeric_limits<T>::max()) / range;
    for (int32_t r = 0; r < src.rows; ++r) {
      T *row = static_cast<T *>(dst) + int64_t(r) * src.cols;
      if (range == 0)
        compressSigns(src.cols, src.row(r), row);
      else
        compressRow(src.cols, src.row(r), scale, row);
    }
  });
}

void decompress(MatrixView dst, CompressedType type, float range,
                const void *src) {
  withType(type, [&](auto zero) {
    using T = decltype(zero);
    const float scale =
        range == 0 ? 1.0f
                   : range / static_cast<float>(std::numeric_limits<T>::max());
    for (int32_t r = 0; r < dst.rows; ++r) {
      const T *row = static_cast<const T *>(src) + int64_t(r) * dst.cols;
      for (int32_t c = 0; c < dst.cols; ++c)
        dst.row(r)[c] = scale * row[c];
    }
  });
}

} // namespace rt
} // namespace nnet3
