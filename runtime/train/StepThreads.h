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

/// All threads run the functions of a CompiledStep at the same time. The
/// context of a function tells it which thread it runs on.
class StepThreads {
public:
  /// Null where memory or threads cannot be had.
  static std::unique_ptr<StepThreads> create(int32_t numThreads);

  /// Returns when \p function has returned on all threads.
  void run(CompiledStep::Function function, float *arena, const float *weights,
           const int32_t *tables);
  /// For other work, while no function runs.
  ThreadPool *getPool() { return pool.get(); }

  /// CompiledStep::symbols(), which the functions call.
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
  /// Changes when the last thread has come to wait.
  std::atomic<uint32_t> round{0};
};

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_TRAIN_STEPTHREADS_H
