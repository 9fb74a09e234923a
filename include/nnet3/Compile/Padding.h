//===- Padding.h - Outputs that do not depend on padding --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_COMPILE_PADDING_H
#define NNET3_COMPILE_PADDING_H

#include "nnet3/Compile/NodeTable.h"
#include "nnet3/Dialect/Nnet3/IR/RequestOps.h"

namespace mlir::nnet3 {

/// Returns the smallest number of output times of `request` that are exact if
/// the input is padded at its end. A caller with a shorter input uses the first
/// k output times, drops the others, and pads the input rows of as much time
/// with any values. The k outputs equal those of a shorter request if none of
/// them depends on a padded row. The result is the smallest k such that this
/// holds for k and all larger numbers. It is the number of all output times if
/// the network allows no padding, as with statistics pooling, backward
/// recurrences, and components that mix rows in training mode.
///
/// Additional rows change neither the computability nor the reads of a row that
/// does not depend on them, so a row that reads no padding reads the same rows
/// in both requests.
FailureOr<int64_t> findMinOutputs(RequestOp request, const NodeTable &nodes);

} // namespace mlir::nnet3

#endif // NNET3_COMPILE_PADDING_H
