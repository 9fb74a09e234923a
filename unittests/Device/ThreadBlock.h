//===- ThreadBlock.h - Threads of a block, one after another ----*- C++ -*-===//
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

/// Threads per warp.
inline constexpr unsigned kWarp = 32;

/// The operands of a thread in a shuffle.
struct ShuffleOperands {
  ShuffleMode mode;
  uint32_t mask, value, b, c;

  bool matches(const ShuffleOperands &other) const {
    return mode == other.mode && mask == other.mask;
  }
};

/// Executes a block: each thread runs until it ends or waits, then the next one
/// runs. Reuses its stacks for later blocks.
class ThreadBlock {
public:
  /// Executes `body` for each thread number in `order`. Returns an error
  /// message and abandons the threads if some wait forever or one has failed;
  /// otherwise returns an empty string.
  std::string run(llvm::ArrayRef<unsigned> order,
                  llvm::function_ref<void()> body);

  // Called by the threads.

  unsigned getThread() const { return current; }
  /// Returns the number of barriers that the block has passed.
  uint32_t getPhase() const { return phase; }
  /// Returns the number of warp barriers that the thread's warp has passed.
  uint32_t getWarpPhase() const { return warpPhases[current / kWarp]; }
  void waitForBlock(uint32_t site);
  /// Returns the value, and PTX's predicate in the upper half.
  uint64_t shuffle(uint32_t site, const ShuffleOperands &operands);
  /// Ends the block with an error.
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
