//===- DerivativeComparison.h - Against central differences -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_UNITTESTS_PROPERTY_COMPILE_DERIVATIVECOMPARISON_H
#define NNET3_UNITTESTS_PROPERTY_COMPILE_DERIVATIVECOMPARISON_H

#include "Execution/BackwardProgram.h"

namespace mlir::nnet3::property {

/// Statistics of the comparisons.
struct ComparisonCounts {
  int cases = 0;
  int directions = 0;
  int drawnAgain = 0;  ///< values at a kink
  int acrossKinks = 0; ///< directions that were drawn again
  int always = 0;      ///< cases that are near a kink for all draws
};

/// Compares the outputs and derivatives of the first run, on the values of a
/// case, with the evaluator; differences fail the test. The other runs, on
/// slightly different values, measure the effect of rounding. Returns false if
/// the case is too near a kink for a complete comparison.
bool compareCase(const Case &test, llvm::ArrayRef<Derivatives> runs,
                 Random &random, ComparisonCounts &counts);

} // namespace mlir::nnet3::property

#endif // NNET3_UNITTESTS_PROPERTY_COMPILE_DERIVATIVECOMPARISON_H
