//===- Twin.h - A process with the same numbers -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_PROPERTY_EXECUTION_TWIN_H
#define NNET3_PROPERTY_EXECUTION_TWIN_H

#include "nnet3/runtime/Exchange.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace mlir::nnet3::property {

/// Stands for another process, which has the same numbers. From beginSum() to
/// wait(), values are NaN, and wait() replaces them, so that uses show.
class Twin : public ::nnet3::rt::Exchange {
public:
  int32_t size() const override { return 2; }
  int32_t rank() const override { return 0; }
  void sum(float *values, int64_t count) override { twice(values, count); }
  void sum(double *values, int64_t count) override { twice(values, count); }
  void beginSum(float *values, int64_t count) override {
    ++numSums;
    twice(values, count);
    begun.push_back({values, {values, values + count}});
    std::fill_n(values, count, std::nanf(""));
  }
  void wait() override {
    for (const Sum &sum : begun)
      std::copy(sum.result.begin(), sum.result.end(), sum.values);
    begun.clear();
  }

  /// The number of calls of beginSum().
  int64_t getNumSums() const { return numSums; }

private:
  struct Sum {
    float *values;
    std::vector<float> result;
  };

  template <typename T> static void twice(T *values, int64_t count) {
    for (int64_t i = 0; i < count; ++i)
      values[i] *= 2;
  }

  std::vector<Sum> begun;
  int64_t numSums = 0;
};

} // namespace mlir::nnet3::property

#endif // NNET3_PROPERTY_EXECUTION_TWIN_H
