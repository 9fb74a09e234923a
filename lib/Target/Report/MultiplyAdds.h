//===- MultiplyAdds.h - What commands compute ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_LIB_TARGET_REPORT_MULTIPLYADDS_H
#define NNET3_LIB_TARGET_REPORT_MULTIPLYADDS_H

#include "nnet3/Dialect/Nnet3/Analysis/ComponentTable.h"

namespace mlir::nnet3 {

/// Multiply-adds of the products with weights, and of attention, that the
/// command `op` computes; 0 for all other commands. Where padding or a missing
/// row counts as zero, its products count. Of the backward pass, the
/// derivatives of the input and of the parameters count as much as the forward
/// pass each; natural gradient does not count.
int64_t countMultiplyAdds(Operation *op, ComponentTable &components);

} // namespace mlir::nnet3

#endif // NNET3_LIB_TARGET_REPORT_MULTIPLYADDS_H
