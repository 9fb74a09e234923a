//===- Clipping.h - What clipping and its statistics share ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_ARITHMETIC_FORWARD_CLIPPING_H
#define NNET3_ARITHMETIC_FORWARD_CLIPPING_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Value.h"

namespace mlir::nnet3 {

/// The 2-norm of a row of the derivative of the output.
template <typename RowTy> Value emitNorm(RowTy &row, int64_t dim) {
  return row.sqrt(row.sum(dim, [&](Value c) -> Value {
    Value dy = row.loadDerivative(c);
    return row.multiply(dy, dy);
  }));
}

/// Whether each row is at a boundary where BackpropTruncation may zero
/// derivatives (spec: components.md 6.16).
SmallVector<int64_t> getBoundaries(DictionaryAttr precomputed, int64_t rows);

/// A threshold that is not positive is none.
float getThreshold(APFloat threshold);

} // namespace mlir::nnet3

#endif // NNET3_ARITHMETIC_FORWARD_CLIPPING_H
