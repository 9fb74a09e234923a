//===- Comparison.h - The difference of two outputs -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_TOOLS_COMMON_COMPARISON_H
#define NNET3_TOOLS_COMMON_COMPARISON_H

#include "nnet3/runtime/MatrixView.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

namespace mlir::nnet3 {

/// Returns |actual - reference|; zero if both are NaN or the same infinity,
/// infinity if one of them is NaN.
double getDifference(float reference, float actual);

/// Accumulates the difference of the outputs of a computation from those of a
/// reference over all added matrices.
class Comparison {
public:
  /// Adds two matrices, which must have the same dims.
  void add(::nnet3::rt::ConstMatrixView reference,
           ::nnet3::rt::ConstMatrixView actual);

  /// Prints a line about the output `name`; `what` describes what was compared.
  /// The line has the number of elements that are NaN, if there are any.
  void print(llvm::raw_ostream &os, llvm::StringRef name,
             llvm::StringRef what) const;

  /// Largest getDifference() of two elements.
  double getMaxAbsolute() const { return maxAbsolute; }
  /// Largest |actual - reference| / |reference|. The denominator is at least a
  /// hundredth of the root mean square of the reference matrix.
  double getMaxRelative() const { return maxRelative; }
  /// Root mean square of the differences, relative to that of the reference.
  double getRelativeRms() const;
  /// Fraction of the rows whose largest elements are in the same column.
  double getArgmaxShare() const;

private:
  void addRow(const float *reference, const float *actual, int32_t columns,
              double floor);

  int64_t rows = 0, agreeingRows = 0;
  int32_t columns = 0;
  double maxAbsolute = 0, maxRelative = 0;
  double squaredError = 0, squaredReference = 0;
  int64_t numReferenceNaN = 0, numActualNaN = 0;
};

} // namespace mlir::nnet3

#endif // NNET3_TOOLS_COMMON_COMPARISON_H
