//===- ThreadPool.h - Threads that share the work of one run ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_CORE_THREADPOOL_H
#define NNET3_RUNTIME_CORE_THREADPOOL_H

#include <atomic>
#include <cstdint>
#include <memory>

namespace nnet3 {
namespace rt {

/// Work on the blocks begin to end - 1. All threads call run().
class RangeTask {
public:
  virtual void run(int64_t begin, int64_t end) const = 0;

protected:
  ~RangeTask() = default;
};

/// A pool of worker threads. Between tasks they spin for some microseconds,
/// then they sleep. After fork() the threads exist in the parent only: in the
/// child a pool can neither run nor be deleted.
class ThreadPool {
public:
  /// \p numThreads includes the thread that calls run(), so that the pool has
  /// numThreads - 1 threads. Returns null if memory or threads are lacking.
  static std::unique_ptr<ThreadPool> create(int32_t numThreads);
  ~ThreadPool();

  /// Whether the threads exist in this process.
  bool isHere() const;

  /// The argument of create().
  int32_t numThreads() const { return count; }

  /// Runs \p task for 0 to \p size - 1, with one range of about equal size for
  /// each thread; returns when all ranges are done. Allocates nothing. Calls
  /// must not overlap.
  void run(const RangeTask &task, int64_t size);

private:
  /// The operating system's threads.
  class Workers;

  ThreadPool(int32_t count, std::unique_ptr<Workers> workers);

  const int32_t count;
  const std::unique_ptr<Workers> workers;
};

/// Calls \p body(begin, end) with one range of 0 to \p size - 1 on each thread
/// of \p pool, or with the whole range on this thread if \p pool is null.
template <typename Body>
void shareRange(ThreadPool *pool, int64_t size, const Body &body) {
  struct Task final : RangeTask {
    explicit Task(const Body &body) : body(body) {}
    void run(int64_t begin, int64_t end) const override { body(begin, end); }
    const Body &body;
  };
  if (pool)
    pool->run(Task(body), size);
  else if (size > 0)
    body(int64_t(0), size);
}

/// Calls \p body(i) for 0 to \p size - 1. Each thread of \p pool takes the next
/// index when it is done with one, so that calls may differ in time; without a
/// pool this thread takes all.
template <typename Body>
void shareEach(ThreadPool *pool, int64_t size, const Body &body) {
  std::atomic<int64_t> next{0};
  shareRange(pool, pool ? pool->numThreads() : 1, [&](int64_t, int64_t) {
    for (int64_t i = next++; i < size; i = next++)
      body(i);
  });
}

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_CORE_THREADPOOL_H
