//===- DebugInfo.h - Names of the debug attributes --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_DIALECT_NNET3_IR_DEBUGINFO_H
#define NNET3_DIALECT_NNET3_IR_DEBUGINFO_H

#include "llvm/ADT/StringRef.h"

namespace mlir::nnet3 {

/// Names of the attributes of a matrix's definition with the node and the
/// indexes of its rows, and whether the matrix holds their derivatives.
constexpr llvm::StringLiteral kDebugNodeAttr = "nnet3.node";
constexpr llvm::StringLiteral kDebugIndexesAttr = "nnet3.indexes";
constexpr llvm::StringLiteral kDebugDerivAttr = "nnet3.is_deriv";

/// Names of the attributes that adding sequences to a computation requires: the
/// stride between the rows of neighbouring sequences of a matrix, an attribute
/// of its definition; and for a component command with precomputed data, the
/// indexes of its rows, and whether the data is also for a backward pass.
constexpr llvm::StringLiteral kSequenceStrideAttr = "nnet3.sequence_stride";
constexpr llvm::StringLiteral kPrecomputedFromAttr = "nnet3.precomputed_from";
constexpr llvm::StringLiteral kInputIndexes = "input_indexes";
constexpr llvm::StringLiteral kOutputIndexes = "output_indexes";
constexpr llvm::StringLiteral kNeedsBackprop = "needs_backprop";

} // namespace mlir::nnet3

#endif // NNET3_DIALECT_NNET3_IR_DEBUGINFO_H
