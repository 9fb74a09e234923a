//===- RowRing.h - A bounded queue of rows ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_SCHEDULER_ROWRING_H
#define NNET3_RUNTIME_SCHEDULER_ROWRING_H

#include <algorithm>
#include <cstdint>
#include <vector>

namespace nnet3 {
namespace rt {

/// A queue of at most `capacity` rows. Only the constructor allocates.
class RowRing {
public:
  RowRing(int32_t capacity, int32_t cols)
      : capacity(capacity), cols(cols),
        values(static_cast<size_t>(capacity) * static_cast<size_t>(cols)) {}

  int32_t size() const { return static_cast<int32_t>(end - begin); }
  int32_t getRoom() const { return capacity - size(); }

  /// Adds \p count rows, which must fit.
  void push(const float *rows, int32_t count) {
    for (int32_t i = 0; i < count; ++i, rows += cols)
      std::copy_n(rows, cols, getRow(end++));
  }
  /// Takes the first \p count rows, which must exist.
  void take(float *rows, int32_t count) {
    for (int32_t i = 0; i < count; ++i)
      rows = std::copy_n(getRow(begin++), cols, rows);
  }

private:
  float *getRow(int64_t row) { return values.data() + row % capacity * cols; }

  int32_t capacity, cols;
  std::vector<float> values;
  int64_t begin = 0, end = 0;
};

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_SCHEDULER_ROWRING_H
