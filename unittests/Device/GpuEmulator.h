//===- GpuEmulator.h - Executes kernels like a GPU --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_UNITTESTS_DEVICE_GPUEMULATOR_H
#define NNET3_UNITTESTS_DEVICE_GPUEMULATOR_H

#include "ShadowMemory.h"
#include "ThreadBlock.h"

#include <mutex>
#include <set>

namespace mlir::nnet3::test {

/// A kernel as host code.
struct EmulatedKernel {
  std::string name;
  void (*entry)(void **parameters); ///< executes one thread
  unsigned numParameters;
  unsigned maxThreads;             ///< of a block; 0 for any number
  std::vector<MemoryRange> shared; ///< shared memory of a block
};

/// The size of a launch: blocks, and threads of a block, in x, y and z.
struct LaunchGrid {
  uint32_t blocks[3], threads[3];
};

/// Executes the threads of kernels one after another, and reports accesses that
/// a GPU could order differently or not execute at all:
///  - accesses to the same word, at least one a write, by threads of a block
///    without a barrier between them, or by threads of different blocks;
///  - accesses out of bounds, or not aligned as the instruction requires;
///  - barriers and shuffles that not all required threads reach.
/// Shared memory is filled with NaN when a block begins.
class GpuEmulator {
public:
  /// `order` of the blocks, and of the threads in them: 0 is ascending, 1
  /// descending; other values are seeds of random orders.
  explicit GpuEmulator(uint64_t order = 0) : order(order) {}

  /// Executes `kernel`, which may access its shared memory and `memory`. Stops
  /// at an operation that a GPU cannot execute.
  void launch(const EmulatedKernel &kernel, const LaunchGrid &grid,
              void **parameters, std::vector<MemoryRange> memory);

  /// Returns the errors, one line each; only the first of each kernel and kind
  /// of error. Empty if there were none.
  const std::vector<std::string> &getFindings() const { return findings; }

  // Called by the code of kernels.

  uint32_t getIndex(uint32_t which) const;
  ThreadBlock &getBlock() { return block; }
  void access(const MemoryAccess &access);

private:
  bool runBlock(void **parameters);
  std::vector<uint32_t> makeOrder(uint32_t count, uint64_t number) const;
  /// Reports an error; only the first one of each `kind` is kept.
  void report(const char *kind, const std::string &text);
  std::string describeThread() const;

  const uint64_t order;
  std::mutex mutex;
  ThreadBlock block;
  ShadowMemory shadow;
  const EmulatedKernel *kernel = nullptr;
  LaunchGrid grid;
  uint32_t numLaunches = 0, blockNumber = 0;
  std::vector<std::string> findings;
  std::set<std::pair<std::string, std::string>> reported;
};

/// A function that kernels are linked with.
struct EmulatorHook {
  const char *name;
  const void *address;
};
llvm::ArrayRef<EmulatorHook> getEmulatorHooks();

} // namespace mlir::nnet3::test

#endif // NNET3_UNITTESTS_DEVICE_GPUEMULATOR_H
