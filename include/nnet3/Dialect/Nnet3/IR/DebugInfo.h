//===- DebugInfo.h - Names of the debug attributes --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_DIALECT_NNET3_IR_DEBUGINFO_H
#define NNET3_DIALECT_NNET3_IR_DEBUGINFO_H

#include "llvm/ADT/StringRef.h"

namespace mlir::nnet3 {

/// Names of the attributes of a matrix's definition that say which rows of
/// which node it holds, and whether it holds their derivatives.
constexpr llvm::StringLiteral kDebugNodeAttr = "nnet3.node";
constexpr llvm::StringLiteral kDebugIndexesAttr = "nnet3.indexes";
constexpr llvm::StringLiteral kDebugDerivAttr = "nnet3.is_deriv";

/// What it takes to add sequences to a computation: the distance between the
/// rows of neighbouring sequences of a matrix, an attribute of its definition;
/// and for a component command that has something precomputed from its rows,
/// the rows, and whether it is for a backward pass too.
constexpr llvm::StringLiteral kSequenceStrideAttr = "nnet3.sequence_stride";
constexpr llvm::StringLiteral kPrecomputedFromAttr = "nnet3.precomputed_from";
constexpr llvm::StringLiteral kInputIndexes = "input_indexes";
constexpr llvm::StringLiteral kOutputIndexes = "output_indexes";
constexpr llvm::StringLiteral kNeedsBackprop = "needs_backprop";

} // namespace mlir::nnet3

#endif // NNET3_DIALECT_NNET3_IR_DEBUGINFO_H
