//===- Clipping.h - Shared code of clipping and its statistics --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_ARITHMETIC_FORWARD_CLIPPING_H
#define NNET3_ARITHMETIC_FORWARD_CLIPPING_H

#include "mlir/IR/Operation.h"

namespace mlir::nnet3 {

/// Returns the 2-norm of a row of the output derivative.
template <typename RowTy> Value emitNorm(RowTy &row, int64_t dim) {
  return row.sqrt(row.sum(dim, [&](Value c) -> Value {
    Value dy = row.loadDerivative(c);
    return row.multiply(dy, dy);
  }));
}

/// Returns for each row whether it is at a boundary where BackpropTruncation
/// may zero derivatives (spec: components.md 6.16).
SmallVector<int64_t> getBoundaries(Operation *op, DictionaryAttr precomputed,
                                   int64_t rows);

/// Returns the threshold, or a huge number if it is not positive.
float getThreshold(APFloat threshold);

} // namespace mlir::nnet3

#endif // NNET3_ARITHMETIC_FORWARD_CLIPPING_H
