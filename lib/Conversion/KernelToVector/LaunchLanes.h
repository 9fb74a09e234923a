//===- LaunchLanes.h - Threads of a launch as lanes of vectors --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_KERNELTOVECTOR_LAUNCHLANES_H
#define NNET3_CONVERSION_KERNELTOVECTOR_LAUNCHLANES_H

#include "nnet3/Dialect/Kernel/IR/KernelDialect.h"

namespace mlir::nnet3::kernel {

/// Makes loops over vectors of the innermost `scf.parallel` in `root` whose
/// points load and store neighbouring elements, and compute them alike. Others
/// stay as they are; so do all for scalable vectors.
void vectorizeThreads(Operation *root, TargetAttr target);

} // namespace mlir::nnet3::kernel

#endif // NNET3_CONVERSION_KERNELTOVECTOR_LAUNCHLANES_H
