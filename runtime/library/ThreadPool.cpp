//===- ThreadPool.cpp - Threads that share the work of one run ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ThreadPool.h"

#include <csignal>
#include <new>
#include <system_error>
#include <unistd.h>

namespace nnet3 {
namespace rt {

namespace {

/// How often a thread looks before it sleeps: some tens of microseconds. Who
/// looks begins within a microsecond, who sleeps needs twenty to wake up.
constexpr int kLooks = 2000;

void pause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ __volatile__("yield");
#endif
}

/// Looks for a while whether \p isTrue; gives the last answer.
template <typename Condition> bool lookFor(Condition isTrue) {
  for (int i = 0; i < kLooks; ++i) {
    if (isTrue())
      return true;
    pause();
  }
  return isTrue();
}

/// Threads that start meanwhile handle no signals: those are the program's.
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

ThreadPool::ThreadPool() : process(getpid()) {}

bool ThreadPool::isHere() const { return process == getpid(); }

std::unique_ptr<ThreadPool> ThreadPool::create(int32_t numThreads) {
  // What the standard library throws for want of memory or threads. Threads
  // that have started by then end with the pool.
  std::unique_ptr<ThreadPool> pool;
  try {
    pool.reset(new ThreadPool);
    pool->start(numThreads - 1);
  } catch (const std::bad_alloc &) {
    return nullptr;
  } catch (const std::system_error &) {
    return nullptr;
  }
  return pool;
}

void ThreadPool::start(int32_t numWorkers) {
  BlockedSignals blocked;
  workers.reserve(numWorkers);
  for (int32_t i = 0; i < numWorkers; ++i)
    workers.emplace_back([this, i] { work(i); });
}

ThreadPool::~ThreadPool() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    task = nullptr;
    round.fetch_add(1, std::memory_order_release);
  }
  begun.notify_all();
  for (std::thread &worker : workers)
    worker.join();
}

/// Waits for the round after \p last; gives its number.
uint32_t ThreadPool::awaitRound(uint32_t last) {
  auto isThere = [&] { return round.load(std::memory_order_acquire) != last; };
  if (!lookFor(isThere)) {
    std::unique_lock<std::mutex> lock(mutex);
    begun.wait(lock, isThere);
  }
  return round.load(std::memory_order_acquire);
}

void ThreadPool::runPart(int32_t number) const {
  const auto parts = int64_t{numThreads()};
  const int64_t begin = count * number / parts,
                end = count * (number + 1) / parts;
  if (begin < end)
    task->run(begin, end);
}

void ThreadPool::work(int32_t number) {
  uint32_t last = 0;
  while (true) {
    last = awaitRound(last);
    if (!task)
      return;
    runPart(number);
    if (numBusy.fetch_sub(1, std::memory_order_acq_rel) == 1) {
      // Under the lock, so that it does not come between the last look of the
      // one who waits and its sleep.
      std::lock_guard<std::mutex> lock(mutex);
      done.notify_one();
    }
  }
}

void ThreadPool::run(const RangeTask &what, int64_t size) {
  {
    std::lock_guard<std::mutex> lock(mutex);
    task = &what;
    count = size;
    numBusy.store(static_cast<int32_t>(workers.size()),
                  std::memory_order_relaxed);
    round.fetch_add(1, std::memory_order_release);
  }
  begun.notify_all();
  runPart(static_cast<int32_t>(workers.size()));
  auto isDone = [&] { return numBusy.load(std::memory_order_acquire) == 0; };
  if (!lookFor(isDone)) {
    std::unique_lock<std::mutex> lock(mutex);
    done.wait(lock, isDone);
  }
}

} // namespace rt
} // namespace nnet3
