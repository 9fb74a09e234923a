//===- DeviceProgram.h - Code and launches for a GPU ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_TARGET_CUDA_DEVICEPROGRAM_H
#define NNET3_TARGET_CUDA_DEVICEPROGRAM_H

#include "nnet3/runtime/cuda/DeviceCode.h"

#include "mlir/IR/BuiltinOps.h"

#include <optional>

namespace mlir::nnet3 {

/// What the runtime needs for some requests on a GPU, but for the weights.
struct DeviceProgram {
  /// A computation, with the nodes of its inputs and outputs in order.
  /// A parameter whose gradient is an output.
  struct Gradient {
    std::string component, parameter;
  };

  /// A parameter that is trained, and where it is in the weights.
  struct Parameter {
    std::string component, parameter;
    uint64_t place, size;
  };

  struct Request {
    std::string name;
    std::vector<std::string> inputs, outputs;
    /// What the device's outputs behind `outputs` are.
    std::vector<Gradient> gradients;
    /// Of a request for training steps; they come first among the weights.
    std::vector<Parameter> parameters;
    ::nnet3::rt::cuda::DeviceRequest request;
  };

  /// Without PTX.
  ::nnet3::rt::cuda::DeviceCode code;
  std::vector<Request> requests;
};

/// The launches in the functions of `module`, which
/// convert-nnet3-kernels-to-gpu has made. Fails with an error at an operation
/// that is no launch with constant places.
FailureOr<DeviceProgram> collectDeviceProgram(ModuleOp module);

} // namespace mlir::nnet3

#endif // NNET3_TARGET_CUDA_DEVICEPROGRAM_H
