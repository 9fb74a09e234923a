//===- RoundWeights.h - Rounding of weights ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_SURGERY_ROUNDWEIGHTS_H
#define NNET3_SURGERY_ROUNDWEIGHTS_H

#include "nnet3/Surgery/LinearAlgebra.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"

namespace mlir::nnet3 {

/// Number formats of rounded weights.
enum class WeightGrid {
  /// Integers from -127 to 127 times a scale for each row. The element of a row
  /// with the largest magnitude is 127 or -127.
  Int8,
  BF16,
};

/// Rounds the matrix W of `component`, its attribute `name`, to values of
/// `grid` so that E|(W' - W) x|^2 is small for inputs x with `moments` E[x
/// x^T]. The columns are rounded one after the other, and the remaining columns
/// compensate the error of each by the best linear estimate from the inputs
/// (optimal brain quantisation). Emits an error if W has no values, or if the
/// moments are not finite or have a different size.
FailureOr<ElementsAttr> roundWeights(Operation *component, StringRef name,
                                     const DoubleMatrix &moments,
                                     WeightGrid grid);

} // namespace mlir::nnet3

#endif // NNET3_SURGERY_ROUNDWEIGHTS_H
