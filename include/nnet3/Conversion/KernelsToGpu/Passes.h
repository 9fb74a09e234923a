//===- Passes.h - Parallel kernels as GPU functions -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_KERNELSTOGPU_PASSES_H
#define NNET3_CONVERSION_KERNELSTOGPU_PASSES_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::nnet3 {

#define GEN_PASS_DECL
#include "nnet3/Conversion/KernelsToGpu/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "nnet3/Conversion/KernelsToGpu/Passes.h.inc"

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_KERNELSTOGPU_PASSES_H
