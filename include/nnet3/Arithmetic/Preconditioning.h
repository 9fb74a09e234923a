//===- Preconditioning.h - The operands of natural gradient -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_ARITHMETIC_PRECONDITIONING_H
#define NNET3_ARITHMETIC_PRECONDITIONING_H

#include "mlir/IR/Operation.h"

namespace mlir::nnet3 {

/// The matrices of a component that natural gradient preconditions (spec:
/// components.md 6).
enum class Preconditioning {
  None,
  Rows,     ///< the input, with a column of ones for a bias, and the derivative
  Products, ///< the gradient of the weights and the bias side by side
  BothSides, ///< the columns and then the rows of the same gradient
  Sums,      ///< the gradient, with a row for each sum
  Terms,     ///< the terms of each row in each sum, with a row for each block
  Factors    ///< both operands of the matmul that computes the gradient
};

Preconditioning getPreconditioning(Operation *component);

/// The ranks of the estimates of the input and of the derivative; 0 if the
/// component has no such estimates.
struct PreconditioningRanks {
  int64_t input = 0, derivative = 0;
};

PreconditioningRanks getPreconditioningRanks(Operation *component);

} // namespace mlir::nnet3

#endif // NNET3_ARITHMETIC_PRECONDITIONING_H
