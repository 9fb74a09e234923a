//===- DerivativeComparison.h - Against central differences -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_UNITTESTS_PROPERTY_COMPILE_DERIVATIVECOMPARISON_H
#define NNET3_UNITTESTS_PROPERTY_COMPILE_DERIVATIVECOMPARISON_H

#include "Execution/BackwardProgram.h"

namespace mlir::nnet3::property {

/// What the comparisons came to.
struct ComparisonCounts {
  int cases = 0;
  int directions = 0;
  int drawnAgain = 0;  ///< values at a kink
  int acrossKinks = 0; ///< directions that were drawn again
  int always = 0;      ///< cases that no draw brought away from kinks
};

/// Compares outputs and derivatives of the first run, which is on the values of
/// a case, with the evaluator's; differences fail the test. The other runs, on
/// values that hardly differ, tell what rounding does. Returns false where the
/// case is too near to a kink to compare all.
bool compareCase(const Case &test, llvm::ArrayRef<Derivatives> runs,
                 Random &random, ComparisonCounts &counts);

} // namespace mlir::nnet3::property

#endif // NNET3_UNITTESTS_PROPERTY_COMPILE_DERIVATIVECOMPARISON_H
