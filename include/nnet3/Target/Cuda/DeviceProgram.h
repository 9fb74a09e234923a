//===- DeviceProgram.h - Code and launches for a GPU ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_TARGET_CUDA_DEVICEPROGRAM_H
#define NNET3_TARGET_CUDA_DEVICEPROGRAM_H

#include "nnet3/runtime/cuda/DeviceCode.h"

#include "mlir/IR/BuiltinOps.h"

#include <optional>

namespace mlir::nnet3 {

/// The code and launches for requests on a GPU, without the weights.
struct DeviceProgram {
  /// A parameter whose gradient is an output.
  struct Gradient {
    std::string component, parameter;
  };

  /// A trained parameter, and its offset in the weights.
  struct Parameter {
    std::string component, parameter;
    uint64_t place, size;
  };

  struct Request {
    std::string name;
    std::vector<std::string> inputs, outputs;
    /// The outputs of the device after `outputs`.
    std::vector<Gradient> gradients;
    /// For a request for training steps, the trained parameters, which are
    /// first in the weights.
    std::vector<Parameter> parameters;
    ::nnet3::rt::cuda::DeviceRequest request;
  };

  /// The code without PTX.
  ::nnet3::rt::cuda::DeviceCode code;
  std::vector<Request> requests;
};

/// Collects the launches in the functions of `module`, which
/// convert-nnet3-kernels-to-gpu has made. Emits an error at an operation that
/// is not a launch with constant offsets.
FailureOr<DeviceProgram> collectDeviceProgram(ModuleOp module);

} // namespace mlir::nnet3

#endif // NNET3_TARGET_CUDA_DEVICEPROGRAM_H
