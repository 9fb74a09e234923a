//===- InlineLaunch.h - Lowering of kernel.launch ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_KERNELTOVECTOR_INLINELAUNCH_H
#define NNET3_CONVERSION_KERNELTOVECTOR_INLINELAUNCH_H

#include "nnet3/Dialect/Kernel/IR/KernelDialect.h"

namespace mlir {
class PatternRewriter;
} // namespace mlir

namespace mlir::nnet3::kernel {

/// Replaces a launch by its region, and loads and stores of views by loads and
/// stores of the memory. Emits an error at any other use of a view.
LogicalResult inlineLaunch(LaunchOp op, PatternRewriter &rewriter);

} // namespace mlir::nnet3::kernel

#endif // NNET3_CONVERSION_KERNELTOVECTOR_INLINELAUNCH_H
