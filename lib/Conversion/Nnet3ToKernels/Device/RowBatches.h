//===- RowBatches.h - Rows that matmuls read in place -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_NNET3TOKERNELS_DEVICE_ROWBATCHES_H
#define NNET3_CONVERSION_NNET3TOKERNELS_DEVICE_ROWBATCHES_H

#include "nnet3/Dialect/Nnet3/IR/FusedCommandOps.h"

#include <optional>

namespace mlir::nnet3 {

/// Rows that a matmul reads in place: `batches` times `rows` rows.
struct RowBatches {
  int64_t first, step, rows;
  int64_t batches = 1, distance = 0;
};

/// Returns the rows of `table` as strided batches of a BLAS library; none if
/// they must be gathered.
std::optional<RowBatches> getBatches(RowTableAttr table);

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_NNET3TOKERNELS_DEVICE_ROWBATCHES_H
