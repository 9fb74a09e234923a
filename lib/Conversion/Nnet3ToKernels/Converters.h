//===- Converters.h - Converters for CPUs and devices -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_NNET3TOKERNELS_CONVERTERS_H
#define NNET3_CONVERSION_NNET3TOKERNELS_CONVERTERS_H

#include "CommandConverter.h"

namespace mlir::nnet3 {

/// Creates a converter of the commands of a forward pass to CPU kernels.
std::unique_ptr<CommandConverter> createCpuConverter(ComputationOp computation,
                                                     KernelModule &module);

/// Creates a converter of the commands of both passes to device kernels. With
/// `updates`, the gradient is the preconditioned parameter update of a training
/// step, without the learning rates.
std::unique_ptr<CommandConverter>
createDeviceConverter(ComputationOp computation, KernelModule &module,
                      bool updates);

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_NNET3TOKERNELS_CONVERTERS_H
