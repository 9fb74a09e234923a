//===- Exchange.h - Training by several processes ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Processes that train one model, each on some of the sequences of each
// minibatch, sum what one process would sum over all rows.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_RUNTIME_EXCHANGE_H
#define NNET3_RUNTIME_EXCHANGE_H

#include <cstdint>

namespace nnet3 {
namespace rt {

/// Sums numbers over processes. All processes call the same functions with the
/// same counts in the same order, and get the same sums. There are no errors:
/// if a process is lost, all end.
class Exchange {
public:
  virtual ~Exchange() = default;

  /// How many processes sum, and which this is; one if each has the whole
  /// minibatch.
  virtual int32_t size() const = 0;
  virtual int32_t rank() const = 0;

  /// Replaces values by their sums. With one process all functions do nothing.
  virtual void sum(float *values, int64_t count) = 0;
  virtual void sum(double *values, int64_t count) = 0;

  /// Begins to replace values by their sums. Nobody may use the values before
  /// wait() has returned.
  virtual void beginSum(float *values, int64_t count) = 0;
  /// Waits for all sums that have begun.
  virtual void wait() = 0;
};

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_EXCHANGE_H
