//===- RowBatches.h - Rows that products read where they are ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_NNET3TOKERNELS_DEVICE_ROWBATCHES_H
#define NNET3_CONVERSION_NNET3TOKERNELS_DEVICE_ROWBATCHES_H

#include "nnet3/Dialect/Nnet3/IR/FusedCommandOps.h"

#include <optional>

namespace mlir::nnet3 {

/// Rows that products read where they are: `batches` times `rows` rows.
struct RowBatches {
  int64_t first, step, rows;
  int64_t batches = 1, distance = 0;
};

/// The rows of `table` as a device's library takes them, as strided batches of
/// products; none where they have to be gathered.
std::optional<RowBatches> getBatches(RowTableAttr table);

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_NNET3TOKERNELS_DEVICE_ROWBATCHES_H
