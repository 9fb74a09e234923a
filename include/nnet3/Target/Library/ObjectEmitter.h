//===- ObjectEmitter.h - Machine code of a module ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_TARGET_LIBRARY_OBJECTEMITTER_H
#define NNET3_TARGET_LIBRARY_OBJECTEMITTER_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <string>

namespace llvm {
class Module;
} // namespace llvm

namespace mlir::nnet3 {

/// What machine code is for.
struct CodeTarget {
  /// A CPU by LLVM's name, or "native".
  std::string cpu = "native";
  /// Whether LLVM optimises the code as far as it can, or makes it quickly, for
  /// code that runs a few times.
  bool isOptimized = true;

  /// What the vectors of that CPU are.
  struct Vectors {
    int64_t length; ///< floats in a register
    int64_t numRegisters;
    /// Whether there are instructions for sums of products of bf16 pairs, and
    /// of four numbers of 8 bits (AVX512_BF16, AVX512_VNNI, AVX_VNNI).
    bool bf16Products = false, int8Products = false;
  };
  /// Fails, with the reason in `error`, if LLVM does not know the CPU.
  FailureOr<Vectors> getVectors(std::string &error) const;
  /// The level of x86-64 that the CPU has, from 1 to 4; 0 for others.
  unsigned getLevel() const;
};

/// Which form of the code to write.
enum class CodeForm { LLVM, Assembly, Object };

/// Translates the functions of `module`, which are in the LLVM dialect, and
/// makes code of them for `target`; operations of the nnet3 dialect are passed
/// over. `complete` may add to the code before. Emits an error at the module
/// where that fails.
FailureOr<llvm::SmallVector<char>>
emitCode(ModuleOp module, const CodeTarget &target, CodeForm form,
         llvm::function_ref<void(llvm::Module &)> complete = {});

} // namespace mlir::nnet3

#endif // NNET3_TARGET_LIBRARY_OBJECTEMITTER_H
