//===- Comparison.h - How far two outputs are apart -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_TOOLS_COMPARISON_H
#define NNET3_TOOLS_COMPARISON_H

#include "nnet3/runtime/MatrixView.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

namespace mlir::nnet3 {

/// |actual - reference|; zero where both are NaN or the same infinity, infinite
/// where one of them is NaN.
double getDifference(float reference, float actual);

/// How far the output of one computation is from that of a reference, over all
/// matrices that it is shown.
class Comparison {
public:
  /// Both have the same dims.
  void add(::nnet3::rt::ConstMatrixView reference,
           ::nnet3::rt::ConstMatrixView actual);

  /// Prints a line about the output `name`; `what` says of what against what.
  /// It counts the elements that are NaN, if there are any.
  void print(llvm::raw_ostream &os, llvm::StringRef name,
             llvm::StringRef what) const;

  /// Largest |actual - reference|. Infinite where one of them is not a number
  /// and the other is.
  double getMaxAbsolute() const { return maxAbsolute; }
  /// Largest |actual - reference| / |reference|. References below a hundredth
  /// of the root mean square of their matrix count as that.
  double getMaxRelative() const { return maxRelative; }
  /// Root mean square of the differences, relative to that of the reference.
  double getRelativeRms() const;
  /// Share of the rows whose largest element is in the same column.
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

#endif // NNET3_TOOLS_COMPARISON_H
