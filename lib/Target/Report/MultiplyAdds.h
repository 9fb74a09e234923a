//===- MultiplyAdds.h - Multiply-adds of commands ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_LIB_TARGET_REPORT_MULTIPLYADDS_H
#define NNET3_LIB_TARGET_REPORT_MULTIPLYADDS_H

#include "nnet3/Dialect/Nnet3/Analysis/ComponentTable.h"

namespace mlir::nnet3 {

/// Returns the multiply-adds of matmuls with weights and of attention in
/// command `op`; 0 for all other commands. Padding and missing rows count as if
/// they were computed. In the backward pass, the input derivative and the
/// parameter derivative count as much as the forward pass each; natural
/// gradient does not count.
int64_t countMultiplyAdds(Operation *op, ComponentTable &components);

} // namespace mlir::nnet3

#endif // NNET3_LIB_TARGET_REPORT_MULTIPLYADDS_H
