//===- TimeRows.h - Rows of the time offsets of a component -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_NNET3TOKERNELS_TRAINING_TIMEROWS_H
#define NNET3_CONVERSION_NNET3TOKERNELS_TRAINING_TIMEROWS_H

#include "nnet3/Dialect/Nnet3/IR/CommandOps.h"

namespace mlir::nnet3 {

/// The rows of the input that a time offset of an affine component names.
struct TimeRows {
  int64_t first, step;
};

/// Those of all time offsets; all rows where there are none.
SmallVector<TimeRows> getTimeRows(BackpropOp op);

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_NNET3TOKERNELS_TRAINING_TIMEROWS_H
