//===- Converters.h - Converters of CPUs and of devices ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_NNET3TOKERNELS_CONVERTERS_H
#define NNET3_CONVERSION_NNET3TOKERNELS_CONVERTERS_H

#include "CommandConverter.h"

namespace mlir::nnet3 {

/// Makes kernels of a CPU of the commands of a forward pass.
std::unique_ptr<CommandConverter> createCpuConverter(ComputationOp computation,
                                                     KernelModule &module);

/// Makes kernels of a device of the commands of both passes. With `updates`,
/// the gradient is what a training step adds to the parameters, up to learning
/// rates.
std::unique_ptr<CommandConverter>
createDeviceConverter(ComputationOp computation, KernelModule &module,
                      bool updates);

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_NNET3TOKERNELS_CONVERTERS_H
