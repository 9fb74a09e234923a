//===- Recurrences.h - Backward recurrences ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_LIB_STREAM_RECURRENCES_H
#define NNET3_LIB_STREAM_RECURRENCES_H

#include "nnet3/Compile/NodeTable.h"

namespace mlir::nnet3 {

/// Returns a component node whose rows depend on later rows of the same node,
/// or -1.
int32_t findBackwardRecurrence(const NodeTable &nodes);

} // namespace mlir::nnet3

#endif // NNET3_LIB_STREAM_RECURRENCES_H
