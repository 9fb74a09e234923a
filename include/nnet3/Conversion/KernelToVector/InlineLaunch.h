//===- InlineLaunch.h - Code of kernels of devices --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_KERNELTOVECTOR_INLINELAUNCH_H
#define NNET3_CONVERSION_KERNELTOVECTOR_INLINELAUNCH_H

#include "nnet3/Dialect/Kernel/IR/KernelDialect.h"

namespace mlir {
class PatternRewriter;
} // namespace mlir

namespace mlir::nnet3::kernel {

/// Puts the region of a launch in its place, with accesses of memory for those
/// of views. Fails with an error at a view that is used in another way.
LogicalResult inlineLaunch(LaunchOp op, PatternRewriter &rewriter);

} // namespace mlir::nnet3::kernel

#endif // NNET3_CONVERSION_KERNELTOVECTOR_INLINELAUNCH_H
