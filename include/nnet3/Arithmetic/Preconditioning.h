//===- Preconditioning.h - What natural gradient works on -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_ARITHMETIC_PRECONDITIONING_H
#define NNET3_ARITHMETIC_PRECONDITIONING_H

#include "mlir/IR/Operation.h"

namespace mlir::nnet3 {

/// What natural gradient preconditions of a component (spec: components.md 6).
enum class Preconditioning {
  None,
  Rows,      ///< of the input, with ones for a bias, and of the derivative
  Products,  ///< the gradient, weights and bias side by side
  BothSides, ///< the same, its columns and then its rows
  Sums,      ///< the gradient, a row for each sum
  Terms,     ///< what each row adds to each sum, a row for each block
  Factors    ///< both factors of the product that is the gradient
};

Preconditioning getPreconditioning(Operation *component);

} // namespace mlir::nnet3

#endif // NNET3_ARITHMETIC_PRECONDITIONING_H
