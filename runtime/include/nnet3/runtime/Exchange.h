//===- Exchange.h - Training by several processes ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Data-parallel training: each process has some sequences of each minibatch,
// and sums over rows become sums over the rows of all processes.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_RUNTIME_EXCHANGE_H
#define NNET3_RUNTIME_EXCHANGE_H

#include <cstdint>

namespace nnet3 {
namespace rt {

/// All-reduce over processes. All processes call the same functions with the
/// same counts in the same order, and get the same sums. There are no errors:
/// if a process dies, all processes end.
class Exchange {
public:
  virtual ~Exchange() = default;

  /// The number of processes, and the index of this one. The size is 1 if each
  /// process has the whole minibatch.
  virtual int32_t size() const = 0;
  virtual int32_t rank() const = 0;

  /// Replaces values by their sums over processes. With one process all
  /// functions do nothing.
  virtual void sum(float *values, int64_t count) = 0;
  virtual void sum(double *values, int64_t count) = 0;

  /// Starts an asynchronous sum(). The values must not be used before wait()
  /// has returned.
  virtual void beginSum(float *values, int64_t count) = 0;
  /// Lets sums that have begun go on, for a process that waits for something
  /// else.
  virtual void progress() {}
  /// Waits for all sums that beginSum() has started.
  virtual void wait() = 0;
};

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_EXCHANGE_H
