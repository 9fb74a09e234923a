//===- StepThreads.h - Threads that run a training step together -*- C++ -*-==//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_TRAIN_STEPTHREADS_H
#define NNET3_RUNTIME_TRAIN_STEPTHREADS_H

#include "core/ThreadPool.h"
#include "nnet3/runtime/CompiledStep.h"

#include <atomic>
#include <memory>
#include <vector>

namespace nnet3 {
namespace rt {

/// Runs the functions of a CompiledStep on all threads concurrently. The
/// context of a function identifies its thread.
class StepThreads {
public:
  /// Returns null if memory or threads are lacking.
  static std::unique_ptr<StepThreads> create(int32_t numThreads);

  /// Calls \p function on all threads, and waits for them.
  void run(CompiledStep::Function function, float *arena, const float *weights,
           const int32_t *tables);
  /// The pool for other work while no function runs.
  ThreadPool *getPool() { return pool.get(); }

  /// Implement CompiledStep::symbols().
  static int64_t getNumber(void *context);
  static int64_t getCount(void *context);
  static void wait(void *context);

private:
  struct Thread {
    StepThreads *threads;
    int64_t number;
  };

  explicit StepThreads(std::unique_ptr<ThreadPool> pool);

  std::unique_ptr<ThreadPool> pool;
  std::vector<Thread> contexts;
  std::atomic<int64_t> numWaiting{0};
  /// Incremented when the last thread reaches the barrier.
  std::atomic<uint32_t> round{0};
};

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_TRAIN_STEPTHREADS_H
