//===- Passes.h - Computations on tensors -----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_NNET3TOLINALG_PASSES_H
#define NNET3_CONVERSION_NNET3TOLINALG_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::nnet3 {

/// The attribute with the name of the node of an argument or a result of a
/// function.
inline constexpr llvm::StringLiteral kNodeAttr = "nnet3.node";

#define GEN_PASS_DECL
#include "nnet3/Conversion/Nnet3ToLinalg/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "nnet3/Conversion/Nnet3ToLinalg/Passes.h.inc"

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_NNET3TOLINALG_PASSES_H
