//===- TrainedWeights.h - Packed copies of trained parameters ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_EXECUTION_TRAINEDWEIGHTS_H
#define NNET3_EXECUTION_TRAINEDWEIGHTS_H

#include "nnet3/Target/Cuda/DeviceProgram.h"
#include "nnet3/runtime/cuda/DeviceTrainer.h"

#include "mlir/IR/BuiltinOps.h"

namespace mlir::nnet3 {

/// Maps the packed weights of `module` that depend on the trained `parameters`,
/// namely per-column constants and weights in another order, to elements of
/// these parameters. Emits an error at a component whose per-column constants
/// are not elements of its parameters.
FailureOr<std::vector<::nnet3::rt::cuda::DeviceTrainingRequest::Derived>>
findDerivedWeights(ModuleOp module,
                   llvm::ArrayRef<DeviceProgram::Parameter> parameters);

} // namespace mlir::nnet3

#endif // NNET3_EXECUTION_TRAINEDWEIGHTS_H
