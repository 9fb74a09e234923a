//===- Dataflow.h - The data flow between commands --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_TARGET_REPORT_DATAFLOW_H
#define NNET3_TARGET_REPORT_DATAFLOW_H

#include "nnet3/Target/Report/ComputationSummary.h"

namespace mlir::nnet3 {

/// A dependence between two commands through a matrix or a part of one.
struct Flow {
  int32_t from, to;
  /// -1 for a value that is not a matrix.
  int32_t matrix;
  /// Whether no data flows: `from` allocates the storage, or `to` frees it.
  bool isStorage = false;
};

/// Returns the flows from each command to the commands that read the values
/// that it wrote, and the flows of storage from allocations and to
/// deallocations. They are sorted by `to`, without duplicates.
std::vector<Flow> getDataflow(const ComputationSummary &computation);

} // namespace mlir::nnet3

#endif // NNET3_TARGET_REPORT_DATAFLOW_H
