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

/// A ring buffer of rows by frame number. Frame t + `capacity` overwrites frame
/// t.
class FrameRing {
public:
  FrameRing(int64_t capacity, int64_t cols)
      : capacity(capacity), cols(cols), values(capacity * cols) {}

  float *row(int64_t frame) { return values.data() + frame % capacity * cols; }
  const float *row(int64_t frame) const {
    return values.data() + frame % capacity * cols;
  }
  int64_t getCapacity() const { return capacity; }
  /// Zero-fills all rows.
  void clear() { std::fill(values.begin(), values.end(), 0.0f); }

private:
  int64_t capacity, cols;
  std::vector<float> values;
};

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_IVECTOR_FRAMERING_H
