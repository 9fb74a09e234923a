//===- ThreadPool.h - Threads that share the work of one run ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_CORE_THREADPOOL_H
#define NNET3_RUNTIME_CORE_THREADPOOL_H

#include <cstdint>
#include <memory>

namespace nnet3 {
namespace rt {

/// Work on the blocks begin, ..., end - 1; the same function for all threads.
class RangeTask {
public:
  virtual void run(int64_t begin, int64_t end) const = 0;

protected:
  ~RangeTask() = default;
};

/// Threads that wait for work. Between two pieces of work they look out for the
/// next for some microseconds, then they sleep. After fork() the threads exist
/// in the parent alone: in the child a pool can neither run nor be deleted.
class ThreadPool {
public:
  /// \p numThreads counts the thread that calls run(), so there are one fewer
  /// in the pool. Null where memory or threads cannot be had.
  static std::unique_ptr<ThreadPool> create(int32_t numThreads);
  ~ThreadPool();

  /// Whether the threads are in this process.
  bool isHere() const;

  /// The number that create() got.
  int32_t numThreads() const { return count; }

  /// Runs \p task for 0, ..., \p size - 1, in one range of about the same size
  /// for each thread; returns when all is done. Allocates nothing. One call at
  /// a time.
  void run(const RangeTask &task, int64_t size);

private:
  /// The threads of the system.
  class Workers;

  ThreadPool(int32_t count, std::unique_ptr<Workers> workers);

  const int32_t count;
  const std::unique_ptr<Workers> workers;
};

/// Calls \p body(begin, end) with ranges of 0, ..., \p size - 1, one on each
/// thread of \p pool; with the whole range on this thread if \p pool is null.
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

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_CORE_THREADPOOL_H
