//===- Dataflow.h - Which command reads what which one wrote ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_TARGET_REPORT_DATAFLOW_H
#define NNET3_TARGET_REPORT_DATAFLOW_H

#include "nnet3/Target/Report/ComputationSummary.h"

namespace mlir::nnet3 {

/// A matrix, or a part of one, on its way between two commands.
struct Flow {
  int32_t from, to;
  /// -1 for a value that is no matrix.
  int32_t matrix;
  /// No values come along: `from` makes the storage, or `to` ends it.
  bool isStorage = false;
};

/// From each command to those that read what it wrote last, and from what gives
/// a matrix its storage to what takes it. Ordered by `to`; no two are the same.
std::vector<Flow> getDataflow(const ComputationSummary &computation);

} // namespace mlir::nnet3

#endif // NNET3_TARGET_REPORT_DATAFLOW_H
