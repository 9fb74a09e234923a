//===- Padding.h - Which outputs depend on the end of the input -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_COMPILE_PADDING_H
#define NNET3_COMPILE_PADDING_H

#include "nnet3/Compile/NodeTable.h"
#include "nnet3/Dialect/Nnet3/IR/RequestOps.h"

namespace mlir::nnet3 {

/// How few of the output times of `request` an input that is padded at its end
/// computes exactly. A caller with a shorter input wants the first k output
/// times, and supplies any values for the input rows of the last times: those
/// that lie as far from the end of the input as the dropped outputs do from the
/// end of the output. The outputs are those of the shorter request if none of
/// them depends on a padded row. The result is the smallest number such that
/// this holds for it and all larger k; the number of output times if the
/// network allows no padding at all, as with statistics pooling, backward
/// recurrences, and components that mix rows in training mode.
///
/// More rows never make a row computable that did not depend on them, so a row
/// that reads no padding reads the same rows in both requests.
FailureOr<int64_t> findMinOutputs(RequestOp request, const NodeTable &nodes);

} // namespace mlir::nnet3

#endif // NNET3_COMPILE_PADDING_H
