//===- StepThreads.cpp - Threads that run a training step together --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "StepThreads.h"
#include "core/SpinWait.h"

#include <thread>

namespace nnet3 {
namespace rt {

StepThreads::StepThreads(std::unique_ptr<ThreadPool> threads)
    : pool(std::move(threads)) {
  for (int64_t i = 0; i < pool->numThreads(); ++i)
    contexts.push_back({this, i});
}

std::unique_ptr<StepThreads> StepThreads::create(int32_t numThreads) {
  auto pool = ThreadPool::create(numThreads);
  if (!pool)
    return nullptr;
  return std::unique_ptr<StepThreads>(new StepThreads(std::move(pool)));
}

void StepThreads::run(CompiledStep::Function function, float *arena,
                      const float *weights, const int32_t *tables) {
  // One index per thread.
  shareRange(pool.get(), pool->numThreads(), [&](int64_t number, int64_t) {
    function(arena, weights, tables, &contexts[number]);
  });
}

int64_t StepThreads::getNumber(void *context) {
  return static_cast<Thread *>(context)->number;
}

int64_t StepThreads::getCount(void *context) {
  return static_cast<Thread *>(context)->threads->pool->numThreads();
}

void StepThreads::wait(void *context) {
  StepThreads &all = *static_cast<Thread *>(context)->threads;
  const uint32_t current = all.round.load(std::memory_order_acquire);
  if (all.numWaiting.fetch_add(1, std::memory_order_acq_rel) + 1 ==
      all.pool->numThreads()) {
    all.numWaiting.store(0, std::memory_order_relaxed);
    all.round.store(current + 1, std::memory_order_release);
    return;
  }
  // Kernels are short, so a missing thread is probably preempted: yield to it.
  while (!lookFor(
      [&] { return all.round.load(std::memory_order_acquire) != current; }))
    std::this_thread::yield();
}

} // namespace rt
} // namespace nnet3
