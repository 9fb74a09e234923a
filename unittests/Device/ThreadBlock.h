//===- ThreadBlock.h - The threads of a block, one after another *- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_UNITTESTS_DEVICE_THREADBLOCK_H
#define NNET3_UNITTESTS_DEVICE_THREADBLOCK_H

#include "EmulatedCode.h"
#include "Fiber.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <memory>

namespace mlir::nnet3::test {

/// Threads that run in step.
inline constexpr unsigned kWarp = 32;

/// What a thread gives to the others of its warp.
struct ShuffleOperands {
  ShuffleMode mode;
  uint32_t mask, value, b, c;

  bool matches(const ShuffleOperands &other) const {
    return mode == other.mode && mask == other.mask;
  }
};

/// Executes a block: each thread runs until it is at its end or waits for
/// others, then the next one. Its stacks are kept for further blocks.
class ThreadBlock {
public:
  /// Executes `body` for each number of `order`, in that order. Returns what
  /// is wrong, and leaves the threads where they are then: that some wait for
  /// ever, or what one of them has said.
  std::string run(llvm::ArrayRef<unsigned> order,
                  llvm::function_ref<void()> body);

  // What follows is called by the threads.

  unsigned getThread() const { return current; }
  /// How many barriers the block has passed.
  uint32_t getPhase() const { return phase; }
  /// How many barriers of its own the warp of the thread has passed.
  uint32_t getWarpPhase() const { return warpPhases[current / kWarp]; }
  void waitForBlock(uint32_t site);
  /// The value, and above it PTX's predicate.
  uint64_t shuffle(uint32_t site, const ShuffleOperands &operands);
  /// Ends the block.
  void fail(std::string why);

private:
  struct Thread {
    enum { Ready, AtBarrier, AtShuffle, Ended } state = Ready;
    uint32_t site = 0;
    ShuffleOperands operands;
    uint64_t result = 0;
    std::unique_ptr<Fiber> fiber;
  };

  void runReady(llvm::ArrayRef<unsigned> order,
                llvm::function_ref<void()> body);
  void runThread(unsigned number, llvm::function_ref<void()> body);
  void wait();
  bool releaseBarrier();
  bool releaseShuffle(unsigned number);
  bool release();
  uint32_t getMembers(unsigned number) const;
  uint64_t exchange(unsigned number, uint32_t members);
  std::string describeWaiting() const;

  std::vector<Thread> threads;
  std::vector<std::unique_ptr<Fiber>> idle;
  unsigned current = 0;
  uint32_t phase = 0;
  std::vector<uint32_t> warpPhases;
  std::string failure;
};

} // namespace mlir::nnet3::test

#endif // NNET3_UNITTESTS_DEVICE_THREADBLOCK_H
