//===- WeightPacker.h - Parameters as kernels read them ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_TARGET_LIBRARY_WEIGHTPACKER_H
#define NNET3_TARGET_LIBRARY_WEIGHTPACKER_H

#include "nnet3/Dialect/Kernel/IR/KernelDialect.h"

#include "llvm/ADT/ArrayRef.h"

namespace mlir::nnet3 {

/// Writes the parameters of the networks around `resources` to `weights`, which
/// is zero and has room for all, in the layout that `resources` has. With
/// `takeParameters` values of tensors that have been packed are released.
/// Fails with an error at a component whose parameters have no values.
llvm::LogicalResult packWeights(kernel::ResourcesOp resources,
                                llvm::MutableArrayRef<float> weights,
                                bool takeParameters = false);

} // namespace mlir::nnet3

#endif // NNET3_TARGET_LIBRARY_WEIGHTPACKER_H
