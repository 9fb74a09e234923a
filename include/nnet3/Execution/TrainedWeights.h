//===- TrainedWeights.h - What kernels read of parameters -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_EXECUTION_TRAINEDWEIGHTS_H
#define NNET3_EXECUTION_TRAINEDWEIGHTS_H

#include "nnet3/Target/Cuda/DeviceProgram.h"
#include "nnet3/runtime/cuda/DeviceTrainer.h"

#include "mlir/IR/BuiltinOps.h"

namespace mlir::nnet3 {

/// Which elements of `parameters`, those that are trained, the other packed
/// weights of `module` are: vectors of components, and weights in another
/// order. Fails with an error at a component whose vectors are anything else
/// than elements of its parameters.
FailureOr<std::vector<::nnet3::rt::cuda::DeviceTrainingRequest::Derived>>
findDerivedWeights(ModuleOp module,
                   llvm::ArrayRef<DeviceProgram::Parameter> parameters);

} // namespace mlir::nnet3

#endif // NNET3_EXECUTION_TRAINEDWEIGHTS_H
