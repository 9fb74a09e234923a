//===- Passes.h - The target of a module ------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_TARGET_CPU_PASSES_H
#define NNET3_TARGET_CPU_PASSES_H

#include "nnet3/Target/Cpu/CpuTarget.h"

#include "mlir/Pass/Pass.h"

namespace mlir::nnet3::kernel {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "nnet3/Target/Cpu/Passes.h.inc"
} // namespace mlir::nnet3::kernel

namespace mlir::nnet3 {

/// Returns the options of `kernel-set-target` for `target`.
kernel::KernelSetTargetOptions getPassOptions(const CodeTarget &target);

} // namespace mlir::nnet3

#endif // NNET3_TARGET_CPU_PASSES_H
