//===- ThreadPool.h - Threads that share the work of one run ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_LIBRARY_THREADPOOL_H
#define NNET3_RUNTIME_LIBRARY_THREADPOOL_H

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <sys/types.h>
#include <thread>
#include <vector>

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
  int32_t numThreads() const {
    return static_cast<int32_t>(workers.size()) + 1;
  }

  /// Runs \p task for 0, ..., \p count - 1, in one range of about the same size
  /// for each thread; returns when all is done. Allocates nothing. One call at
  /// a time.
  void run(const RangeTask &task, int64_t count);

private:
  ThreadPool();
  void start(int32_t numWorkers);
  void work(int32_t number);
  uint32_t awaitRound(uint32_t last);
  void runPart(int32_t number) const;

  const pid_t process;
  std::vector<std::thread> workers;
  const RangeTask *task = nullptr; ///< of the current round; null: the end
  int64_t count = 0;
  /// Changes when a round of work begins; together with the members above it
  /// is written under the lock and published by its store.
  std::atomic<uint32_t> round{0};
  std::atomic<int32_t> numBusy{0}; ///< workers that have not done their part
  std::mutex mutex;
  std::condition_variable begun, done;
};

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_LIBRARY_THREADPOOL_H
