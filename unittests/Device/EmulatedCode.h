//===- EmulatedCode.h - Code for GPUs as code of this machine ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_UNITTESTS_DEVICE_EMULATEDCODE_H
#define NNET3_UNITTESTS_DEVICE_EMULATEDCODE_H

#include "llvm/Support/Error.h"

#include <cstdint>
#include <string>
#include <vector>

namespace llvm {
class Module;
} // namespace llvm

namespace mlir::nnet3::test {

/// What the code calls, with C linkage: `uint32_t (uint32_t which)`, of tid,
/// ntid, ctaid and nctaid one of x, y and z;
inline constexpr char kIndexHook[] = "nnet3_gpu_index";
/// `void (uint32_t site)`, where a site is a place in the code;
inline constexpr char kBarrierHook[] = "nnet3_gpu_barrier";
/// `uint64_t (uint32_t site, uint32_t mode, uint32_t mask, uint32_t value,
/// uint32_t b, uint32_t c)`: the value, and above it PTX's predicate, or
/// nothing of a barrier;
inline constexpr char kShuffleHook[] = "nnet3_gpu_shuffle";
/// `void (const void *address, uint32_t bytes, uint32_t alignment, uint32_t
/// writes)`, before each access of memory.
inline constexpr char kAccessHook[] = "nnet3_gpu_access";

/// Modes of PTX's shfl, and bar.warp.sync, where threads of a warp wait for
/// each other, too, but exchange nothing: what they have done to memory is
/// done.
enum class ShuffleMode : uint32_t { Up, Down, Bfly, Idx, Barrier };

/// A kernel of such code.
struct EmulatedFunction {
  std::string name;
  /// Executes one thread: `void (void **parameters)`, as for cuLaunchKernel.
  std::string entry;
  unsigned numParameters;
  /// In a block; 0 for any number.
  unsigned maxThreads;
  /// The variables in shared memory that it uses, and their bytes.
  std::vector<std::pair<std::string, uint64_t>> shared;
};

/// Replaces what only a GPU has, in a module as the NVPTX backend gets it, by
/// calls. Fails where there is anything that the emulation does not know.
llvm::Expected<std::vector<EmulatedFunction>>
makeEmulatedCode(llvm::Module &module);

} // namespace mlir::nnet3::test

#endif // NNET3_UNITTESTS_DEVICE_EMULATEDCODE_H
