//===- ThreadPool.cpp - Threads that share the work of one run ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ThreadPool.h"
#include "SpinWait.h"

#include <atomic>
#include <condition_variable>
#include <csignal>
#include <mutex>
#include <new>
#include <sys/types.h>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <vector>

namespace nnet3 {
namespace rt {

namespace {

/// Blocks signals, so that threads started in its scope do not handle the
/// program's signals.
class BlockedSignals {
public:
  BlockedSignals() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
  }
  ~BlockedSignals() { pthread_sigmask(SIG_SETMASK, &before, nullptr); }

private:
  sigset_t before;
};

} // namespace

class ThreadPool::Workers {
public:
  Workers() : process(getpid()) {}
  ~Workers();

  void start(int32_t numWorkers);
  bool isHere() const { return process == getpid(); }
  void run(const RangeTask &what, int64_t size);

private:
  void work(int32_t number);
  uint32_t awaitRound(uint32_t last);
  void runPart(int32_t number) const;

  const pid_t process;
  std::vector<std::thread> threads;
  const RangeTask *task = nullptr; ///< of the current round; null: exit
  int64_t count = 0;
  /// Incremented when a round of work begins. Written under the lock, after the
  /// members above, which its store publishes.
  std::atomic<uint32_t> round{0};
  std::atomic<int32_t> numBusy{0}; ///< workers that have not finished
  std::mutex mutex;
  std::condition_variable begun, done;
};

void ThreadPool::Workers::start(int32_t numWorkers) {
  BlockedSignals blocked;
  threads.reserve(numWorkers);
  for (int32_t i = 0; i < numWorkers; ++i)
    threads.emplace_back([this, i] { work(i); });
}

ThreadPool::Workers::~Workers() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    task = nullptr;
    round.fetch_add(1, std::memory_order_release);
  }
  begun.notify_all();
  for (std::thread &thread : threads)
    thread.join();
}

/// Waits for the round after \p last; returns its number.
uint32_t ThreadPool::Workers::awaitRound(uint32_t last) {
  auto isThere = [&] { return round.load(std::memory_order_acquire) != last; };
  if (!lookFor(isThere)) {
    std::unique_lock<std::mutex> lock(mutex);
    begun.wait(lock, isThere);
  }
  return round.load(std::memory_order_acquire);
}

void ThreadPool::Workers::runPart(int32_t number) const {
  const auto parts = static_cast<int64_t>(threads.size()) + 1;
  const int64_t begin = count * number / parts,
                end = count * (number + 1) / parts;
  if (begin < end)
    task->run(begin, end);
}

void ThreadPool::Workers::work(int32_t number) {
  uint32_t last = 0;
  while (true) {
    last = awaitRound(last);
    if (!task)
      return;
    runPart(number);
    if (numBusy.fetch_sub(1, std::memory_order_acq_rel) == 1) {
      // Under the lock, so that the waiting thread cannot miss it between its
      // last check and its sleep.
      std::lock_guard<std::mutex> lock(mutex);
      done.notify_one();
    }
  }
}

void ThreadPool::Workers::run(const RangeTask &what, int64_t size) {
  {
    std::lock_guard<std::mutex> lock(mutex);
    task = &what;
    count = size;
    numBusy.store(static_cast<int32_t>(threads.size()),
                  std::memory_order_relaxed);
    round.fetch_add(1, std::memory_order_release);
  }
  begun.notify_all();
  runPart(static_cast<int32_t>(threads.size()));
  auto isDone = [&] { return numBusy.load(std::memory_order_acquire) == 0; };
  if (!lookFor(isDone)) {
    std::unique_lock<std::mutex> lock(mutex);
    done.wait(lock, isDone);
  }
}

ThreadPool::ThreadPool(int32_t count, std::unique_ptr<Workers> workers)
    : count(count), workers(std::move(workers)) {}

ThreadPool::~ThreadPool() = default;

std::unique_ptr<ThreadPool> ThreadPool::create(int32_t numThreads) {
  // The standard library throws if memory or threads are lacking. Threads that
  // have started by then end with the workers.
  try {
    auto workers = std::make_unique<Workers>();
    workers->start(numThreads - 1);
    return std::unique_ptr<ThreadPool>(
        new ThreadPool(numThreads, std::move(workers)));
  } catch (const std::bad_alloc &) {
    return nullptr;
  } catch (const std::system_error &) {
    return nullptr;
  }
}

bool ThreadPool::isHere() const { return workers->isHere(); }

void ThreadPool::run(const RangeTask &task, int64_t size) {
  workers->run(task, size);
}

} // namespace rt
} // namespace nnet3
