//===- RoundWeights.h - Weights of fewer bits -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_SURGERY_ROUNDWEIGHTS_H
#define NNET3_SURGERY_ROUNDWEIGHTS_H

#include "nnet3/Surgery/LinearAlgebra.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"

namespace mlir::nnet3 {

/// Numbers that weights may become.
enum class WeightGrid {
  /// From -127 to 127 times a scale, one for each row, the largest of a row
  /// being 127 or -127.
  Int8,
  BF16,
};

/// The matrix W of `component`, its attribute `name`, with the numbers of
/// `grid` that keep E|(W' - W) x|^2 small for inputs x with `moments`
/// E[x x^T]. The columns are rounded one after the other; the columns to come
/// make up for the error of one as well as a linear estimate from the inputs
/// can (optimal brain quantisation). Emits an error if W has no values, or the
/// moments are not finite or of another size.
FailureOr<ElementsAttr> roundWeights(Operation *component, StringRef name,
                                     const DoubleMatrix &moments,
                                     WeightGrid grid);

} // namespace mlir::nnet3

#endif // NNET3_SURGERY_ROUNDWEIGHTS_H
