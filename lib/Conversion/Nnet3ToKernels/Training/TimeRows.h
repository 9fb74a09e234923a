//===- TimeRows.h - Rows of the time offsets of a component -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_NNET3TOKERNELS_TRAINING_TIMEROWS_H
#define NNET3_CONVERSION_NNET3TOKERNELS_TRAINING_TIMEROWS_H

#include "nnet3/Dialect/Nnet3/IR/CommandOps.h"

namespace mlir::nnet3 {

/// The input rows of one time offset of an affine component.
struct TimeRows {
  int64_t first, step;
};

/// Returns the rows of each time offset; all rows if there are no offsets.
SmallVector<TimeRows> getTimeRows(BackpropOp op);

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_NNET3TOKERNELS_TRAINING_TIMEROWS_H
