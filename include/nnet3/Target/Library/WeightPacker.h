//===- WeightPacker.h - Parameters as kernels read them ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_TARGET_LIBRARY_WEIGHTPACKER_H
#define NNET3_TARGET_LIBRARY_WEIGHTPACKER_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/ArrayRef.h"

namespace mlir::nnet3 {

/// Number of floats that the kernels of `module` read, the attribute
/// `nnet3.packed_weights_size` that convert-nnet3-to-kernels leaves.
int64_t getPackedWeightsSize(ModuleOp module);

/// Writes the parameters of the networks of `module` to `weights`, which is
/// zero and has room for all, in the layout of its attribute
/// `nnet3.packed_weights`. With `takeParameters` resources that have been
/// packed lose their values. Fails with an error at a component whose
/// parameters have no values.
llvm::LogicalResult packWeights(ModuleOp module,
                                llvm::MutableArrayRef<float> weights,
                                bool takeParameters = false);

} // namespace mlir::nnet3

#endif // NNET3_TARGET_LIBRARY_WEIGHTPACKER_H
