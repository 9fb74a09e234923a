//===- Passes.h - Passes on the kernel dialect ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_DIALECT_KERNEL_TRANSFORMS_PASSES_H
#define NNET3_DIALECT_KERNEL_TRANSFORMS_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mlir::nnet3::kernel {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "nnet3/Dialect/Kernel/Transforms/Passes.h.inc"
} // namespace mlir::nnet3::kernel

#endif // NNET3_DIALECT_KERNEL_TRANSFORMS_PASSES_H
