//===- Pipeline.h - Computations as functions of kernels --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_NNET3TOKERNELS_PIPELINE_H
#define NNET3_CONVERSION_NNET3TOKERNELS_PIPELINE_H

#include "nnet3/Conversion/Nnet3ToKernels/Passes.h"

#include "mlir/Pass/PassManager.h"

namespace mlir::nnet3 {

/// Adds the passes from fused commands to functions of kernel operations.
void addKernelPasses(OpPassManager &module,
                     const Nnet3ConvertToKernelsOptions &options);

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_NNET3TOKERNELS_PIPELINE_H
