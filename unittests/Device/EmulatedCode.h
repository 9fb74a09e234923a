//===- EmulatedCode.h - Rewriting GPU code for the host ---------*- C++ -*-===//
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

/// The hooks that the code calls, with C linkage: `uint32_t (uint32_t which)`
/// returns one of x, y and z of tid, ntid, ctaid or nctaid;
inline constexpr char kIndexHook[] = "nnet3_gpu_index";
/// `void (uint32_t site)`, where `site` identifies a position in the code;
inline constexpr char kBarrierHook[] = "nnet3_gpu_barrier";
/// `uint64_t (uint32_t site, uint32_t mode, uint32_t mask, uint32_t value,
/// uint32_t b, uint32_t c)` returns the value, and PTX's predicate in the upper
/// half; nothing for a barrier;
inline constexpr char kShuffleHook[] = "nnet3_gpu_shuffle";
/// `void (const void *address, uint32_t bytes, uint32_t alignment, uint32_t
/// writes)` is called before each memory access.
inline constexpr char kAccessHook[] = "nnet3_gpu_access";

/// Modes of PTX's shfl. Barrier stands for bar.warp.sync: threads of a warp
/// wait for each other without exchanging values, and their memory accesses are
/// ordered.
enum class ShuffleMode : uint32_t { Up, Down, Bfly, Idx, Barrier };

/// A kernel in the rewritten code.
struct EmulatedFunction {
  std::string name;
  /// The function that executes one thread: `void (void **parameters)`, as for
  /// cuLaunchKernel.
  std::string entry;
  unsigned numParameters;
  /// Maximum threads of a block; 0 for any number.
  unsigned maxThreads;
  /// The variables in shared memory that it uses, and their sizes in bytes.
  std::vector<std::pair<std::string, uint64_t>> shared;
};

/// Replaces GPU-specific operations in a module for the NVPTX backend by calls.
/// Fails if the module has operations that the emulation does not support.
llvm::Expected<std::vector<EmulatedFunction>>
makeEmulatedCode(llvm::Module &module);

} // namespace mlir::nnet3::test

#endif // NNET3_UNITTESTS_DEVICE_EMULATEDCODE_H
