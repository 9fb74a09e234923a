//===- GpuEmulator.h - Executes kernels as a GPU would ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_UNITTESTS_DEVICE_GPUEMULATOR_H
#define NNET3_UNITTESTS_DEVICE_GPUEMULATOR_H

#include "ShadowMemory.h"
#include "ThreadBlock.h"

#include <mutex>
#include <set>

namespace mlir::nnet3::test {

/// A kernel as code of this machine.
struct EmulatedKernel {
  std::string name;
  void (*entry)(void **parameters); ///< executes one thread
  unsigned numParameters;
  unsigned maxThreads;             ///< of a block; 0 for any number
  std::vector<MemoryRange> shared; ///< memory of a block
};

/// How often a kernel is executed: blocks, threads of a block; in x, y and z.
struct LaunchGrid {
  uint32_t blocks[3], threads[3];
};

/// Executes the threads of kernels one after another and keeps account of what
/// a GPU could do otherwise or not at all:
///  - threads of a block that access the same word with no barrier between, or
///    threads of different blocks, one of them writing;
///  - accesses outside of memory, or not aligned as the instruction wants;
///  - barriers and shuffles that not all come to that have to.
/// Shared memory is full of not-a-numbers when a block begins.
class GpuEmulator {
public:
  /// `order` of blocks, and of threads in them: 0 is ascending, 1 descending,
  /// others are seeds of random ones.
  explicit GpuEmulator(uint64_t order = 0) : order(order) {}

  /// Executes `kernel`. Besides of its shared memory it may access `memory`. A
  /// kernel that does what a GPU cannot do is left there.
  void launch(const EmulatedKernel &kernel, const LaunchGrid &grid,
              void **parameters, std::vector<MemoryRange> memory);

  /// What was wrong, one line each; of each kernel and kind of fault the first
  /// one. Empty if nothing was.
  const std::vector<std::string> &getFindings() const { return findings; }

  // What follows is called by the code of kernels.

  uint32_t getIndex(uint32_t which) const;
  ThreadBlock &getBlock() { return block; }
  void access(const MemoryAccess &access);

private:
  bool runBlock(void **parameters);
  std::vector<uint32_t> makeOrder(uint32_t count, uint64_t number) const;
  /// The first one of its `kind` is kept.
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

/// What code for kernels is linked with.
struct EmulatorHook {
  const char *name;
  const void *address;
};
llvm::ArrayRef<EmulatorHook> getEmulatorHooks();

} // namespace mlir::nnet3::test

#endif // NNET3_UNITTESTS_DEVICE_GPUEMULATOR_H
