//===- FrameRing.h - The latest frames of a stream --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_IVECTOR_FRAMERING_H
#define NNET3_RUNTIME_IVECTOR_FRAMERING_H

#include <algorithm>
#include <cstdint>
#include <vector>

namespace nnet3 {
namespace rt {

/// Rows by the number of their frame. A row lasts until the frame that is
/// `capacity` later.
class FrameRing {
public:
  FrameRing(int64_t capacity, int64_t cols)
      : capacity(capacity), cols(cols), values(capacity * cols) {}

  float *row(int64_t frame) { return values.data() + frame % capacity * cols; }
  const float *row(int64_t frame) const {
    return values.data() + frame % capacity * cols;
  }
  int64_t getCapacity() const { return capacity; }
  /// Makes all rows zero.
  void clear() { std::fill(values.begin(), values.end(), 0.0f); }

private:
  int64_t capacity, cols;
  std::vector<float> values;
};

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_IVECTOR_FRAMERING_H
