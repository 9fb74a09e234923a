//===- ThreadBlock.cpp - Threads of a block, one after another ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ThreadBlock.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"

using namespace mlir::nnet3::test;

std::string ThreadBlock::run(llvm::ArrayRef<unsigned> order,
                             llvm::function_ref<void()> body) {
  threads.clear();
  threads.resize(order.size());
  phase = 0;
  warpPhases.assign(order.size() / kWarp + 1, 0);
  failure.clear();
  do
    runReady(order, body);
  while (failure.empty() && release());
  if (failure.empty())
    failure = describeWaiting();
  for (Thread &thread : threads)
    if (thread.fiber)
      idle.push_back(std::move(thread.fiber));
  return std::move(failure);
}

void ThreadBlock::runReady(llvm::ArrayRef<unsigned> order,
                           llvm::function_ref<void()> body) {
  for (unsigned number : order) {
    if (threads[number].state == Thread::Ready)
      runThread(number, body);
    if (!failure.empty())
      return;
  }
}

/// A thread that never waits leaves its stack to the next thread.
void ThreadBlock::runThread(unsigned number, llvm::function_ref<void()> body) {
  Thread &thread = threads[number];
  current = number;
  if (!thread.fiber) {
    if (idle.empty())
      idle.push_back(std::make_unique<Fiber>());
    thread.fiber = std::move(idle.back());
    idle.pop_back();
    thread.fiber->start(body);
  }
  if (!thread.fiber->resume())
    return;
  thread.state = Thread::Ended;
  idle.push_back(std::move(thread.fiber));
}

void ThreadBlock::wait() { threads[current].fiber->suspend(); }

void ThreadBlock::waitForBlock(uint32_t site) {
  threads[current].state = Thread::AtBarrier;
  threads[current].site = site;
  wait();
}

uint64_t ThreadBlock::shuffle(uint32_t site, const ShuffleOperands &operands) {
  Thread &thread = threads[current];
  thread.state = Thread::AtShuffle;
  thread.site = site;
  thread.operands = operands;
  wait();
  return thread.result;
}

void ThreadBlock::fail(std::string why) {
  failure = std::move(why);
  wait();
}

bool ThreadBlock::releaseBarrier() {
  const bool areAll = llvm::all_of(threads, [&](const Thread &thread) {
    return thread.state == Thread::AtBarrier && thread.site == threads[0].site;
  });
  if (!areAll)
    return false;
  ++phase;
  for (Thread &thread : threads)
    thread.state = Thread::Ready;
  return true;
}

/// Returns the mask of the threads of a warp that the mask of thread `number`
/// names and that have not ended.
uint32_t ThreadBlock::getMembers(unsigned number) const {
  uint32_t members = threads[number].operands.mask;
  const unsigned first = number - number % kWarp;
  for (unsigned lane = 0; lane < kWarp; ++lane)
    if (first + lane >= threads.size() ||
        threads[first + lane].state == Thread::Ended)
      members &= ~(uint32_t(1) << lane);
  return members;
}

/// Returns the number of the source lane (PTX ISA, shfl.sync), and whether it
/// is valid.
static std::pair<unsigned, bool> findSource(unsigned lane,
                                            const ShuffleOperands &operands) {
  const unsigned b = operands.b & 31, clamp = operands.c & 31;
  const unsigned segment = operands.c >> 8 & 31;
  const unsigned maxLane = (lane & segment) | (clamp & ~segment);
  const unsigned minLane = lane & segment;
  unsigned source = 0;
  bool valid = false;
  switch (operands.mode) {
  case ShuffleMode::Up:
    source = lane - b;
    valid = int(source) >= int(maxLane);
    break;
  case ShuffleMode::Down:
    source = lane + b;
    valid = source <= maxLane;
    break;
  case ShuffleMode::Bfly:
    source = lane ^ b;
    valid = source <= maxLane;
    break;
  case ShuffleMode::Idx:
    source = minLane | (b & ~segment);
    valid = source <= maxLane;
    break;
  case ShuffleMode::Barrier:
    break;
  }
  return {valid ? source : lane, valid};
}

/// Returns the result of a shuffle for a thread; all members wait at it.
uint64_t ThreadBlock::exchange(unsigned number, uint32_t members) {
  const auto [lane, valid] =
      findSource(number % kWarp, threads[number].operands);
  const unsigned source = number - number % kWarp + lane;
  if (members >> lane & 1)
    return uint64_t(valid) << 32 | threads[source].operands.value;
  if (failure.empty())
    failure = "thread " + std::to_string(number) +
              " shuffles with a thread that is not there, " +
              std::to_string(source);
  return 0;
}

/// Completes the shuffle that a thread waits at, if all members have arrived.
bool ThreadBlock::releaseShuffle(unsigned number) {
  const Thread &thread = threads[number];
  const uint32_t members = getMembers(number);
  const unsigned first = number - number % kWarp;
  if (!(members >> (number - first) & 1))
    return false;
  for (uint32_t rest = members; rest; rest &= rest - 1) {
    const Thread &other = threads[first + llvm::countr_zero(rest)];
    if (other.state != Thread::AtShuffle || other.site != thread.site ||
        !other.operands.matches(thread.operands))
      return false;
  }
  if (thread.operands.mode == ShuffleMode::Barrier)
    ++warpPhases[number / kWarp];
  for (uint32_t rest = members; rest; rest &= rest - 1) {
    const unsigned i = first + llvm::countr_zero(rest);
    threads[i].result = exchange(i, members);
    threads[i].state = Thread::Ready;
  }
  return true;
}

/// Releases threads that have waited for each other; returns true if there were
/// any.
bool ThreadBlock::release() {
  if (releaseBarrier())
    return true;
  bool any = false;
  for (unsigned i = 0; i < threads.size(); ++i)
    if (threads[i].state == Thread::AtShuffle)
      any |= releaseShuffle(i);
  return any && failure.empty();
}

/// Describes one thread of each kind that can never continue; empty if all have
/// ended.
std::string ThreadBlock::describeWaiting() const {
  static constexpr const char *kStates[] = {"is ready", "waits at barrier ",
                                            "waits at shuffle ", "has ended"};
  std::string text;
  std::vector<std::pair<int, uint32_t>> seen;
  bool areAtEnd = true;
  for (unsigned i = 0; i < threads.size(); ++i) {
    const Thread &thread = threads[i];
    const bool hasEnded = thread.state == Thread::Ended;
    areAtEnd &= hasEnded;
    const std::pair<int, uint32_t> kind(thread.state,
                                        hasEnded ? 0 : thread.site);
    if (llvm::is_contained(seen, kind))
      continue;
    seen.push_back(kind);
    text += (text.empty() ? "" : ", ") + ("thread " + std::to_string(i)) + " " +
            kStates[thread.state] +
            (hasEnded ? "" : std::to_string(thread.site));
  }
  return areAtEnd ? "" : "threads diverge: " + text;
}
