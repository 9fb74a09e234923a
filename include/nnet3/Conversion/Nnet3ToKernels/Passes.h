//===- Passes.h - Computations as functions ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_NNET3TOKERNELS_PASSES_H
#define NNET3_CONVERSION_NNET3TOKERNELS_PASSES_H

#include "nnet3/Dialect/Kernel/IR/Precision.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::nnet3 {

#define GEN_PASS_DECL
#include "nnet3/Conversion/Nnet3ToKernels/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "nnet3/Conversion/Nnet3ToKernels/Passes.h.inc"

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_NNET3TOKERNELS_PASSES_H
