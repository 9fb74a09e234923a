//===- ModuleAttributes.h - Attributes of builtin modules -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attributes that passes and tools set on builtin modules. The dialect verifies
// them.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_DIALECT_NNET3_IR_MODULEATTRIBUTES_H
#define NNET3_DIALECT_NNET3_IR_MODULEATTRIBUTES_H

#include "mlir/IR/Operation.h"

namespace mlir::nnet3 {

/// The stage of nnet3-compile that a module has reached, one of
/// getStageNames(), and the target that it is for, `cpu` or `cuda`.
constexpr llvm::StringLiteral kStageAttr = "nnet3.stage";
constexpr llvm::StringLiteral kTargetAttr = "nnet3.target";
/// Set on a module that was printed without the values of its parameters.
constexpr llvm::StringLiteral kElidedWeightsAttr = "nnet3.elided_weights";

/// The stages of nnet3-compile that are IR, from networks to the LLVM dialect.
llvm::ArrayRef<llvm::StringRef> getStageNames();

} // namespace mlir::nnet3

#endif // NNET3_DIALECT_NNET3_IR_MODULEATTRIBUTES_H
