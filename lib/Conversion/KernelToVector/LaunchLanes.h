//===- LaunchLanes.h - Threads of a launch as lanes of vectors --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_KERNELTOVECTOR_LAUNCHLANES_H
#define NNET3_CONVERSION_KERNELTOVECTOR_LAUNCHLANES_H

#include "nnet3/Dialect/Kernel/IR/KernelDialect.h"

namespace mlir::nnet3::kernel {

/// Vectorises each innermost `scf.parallel` in `root` whose points load and
/// store neighbouring elements and compute the same operations. Other loops are
/// unchanged; with scalable vectors, all are.
void vectorizeThreads(Operation *root, TargetAttr target);

} // namespace mlir::nnet3::kernel

#endif // NNET3_CONVERSION_KERNELTOVECTOR_LAUNCHLANES_H
