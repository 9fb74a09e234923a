//===- ObjectEmitter.h - Machine code of a module ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_TARGET_LIBRARY_OBJECTEMITTER_H
#define NNET3_TARGET_LIBRARY_OBJECTEMITTER_H

#include "nnet3/Target/Cpu/CpuTarget.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace llvm {
class Module;
} // namespace llvm

namespace mlir::nnet3 {

/// The output form of code.
enum class CodeForm { LLVM, Assembly, Object };

/// Translates the functions of `module`, which are in the LLVM dialect, to code
/// for `target`; ignores operations of the nnet3 dialect. `complete` may add to
/// the LLVM module before code generation. On failure, emits an error at the
/// module.
FailureOr<llvm::SmallVector<char>>
emitCode(ModuleOp module, const CodeTarget &target, CodeForm form,
         llvm::function_ref<void(llvm::Module &)> complete = {});

} // namespace mlir::nnet3

#endif // NNET3_TARGET_LIBRARY_OBJECTEMITTER_H
