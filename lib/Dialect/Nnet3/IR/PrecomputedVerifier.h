//===- PrecomputedVerifier.h - Checks what is precomputed -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LIB_DIALECT_NNET3_IR_PRECOMPUTEDVERIFIER_H
#define LIB_DIALECT_NNET3_IR_PRECOMPUTEDVERIFIER_H

#include "nnet3/Dialect/Nnet3/IR/NetworkOps.h"

namespace mlir::nnet3::detail {

/// Checks what is precomputed, null for nothing, for a command `op` of
/// `component` with so many rows; an input of 0 rows is not known.
LogicalResult verifyPrecomputed(Operation *op, ComponentOpInterface component,
                                DictionaryAttr precomputed, int64_t inputRows,
                                int64_t outputRows);

} // namespace mlir::nnet3::detail

#endif // LIB_DIALECT_NNET3_IR_PRECOMPUTEDVERIFIER_H
