//===- DeviceCode.h - From computations to code of a GPU --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_PIPELINES_DEVICECODE_H
#define NNET3_PIPELINES_DEVICECODE_H

#include "nnet3/Dialect/Nnet3/IR/RequestOps.h"
#include "nnet3/Optimize/Pipeline.h"
#include "nnet3/Pipelines/NativeCode.h"
#include "nnet3/Target/Cuda/DeviceProgram.h"

#include "mlir/IR/BuiltinOps.h"

#include <optional>

namespace mlir::nnet3 {

/// Like addNativePasses, for a GPU: the kernels are parallel loops, the lowered
/// ones NVVM code. With `training`, for requests that have a backward pass:
/// without fusion, and in the mode in which the network is.
void addDevicePasses(
    OpPassManager &module, StageRange stages, bool testMode = true,
    Precision precision = Precision::F32,
    const std::optional<TrainingCode> &training = std::nullopt);

/// Makes PTX for each of `chips`, such as "sm_90", of the lowered kernels of
/// `module`; nothing where there are only products. Fails with an error if
/// there is no such chip.
llvm::FailureOr<std::vector<::nnet3::rt::cuda::DevicePtx>>
emitPTX(ModuleOp module, llvm::ArrayRef<std::string> chips);

/// The code and the launches of the lowered kernels of `module`.
llvm::FailureOr<DeviceProgram>
emitDeviceProgram(ModuleOp module, llvm::ArrayRef<std::string> chips);

} // namespace mlir::nnet3

#endif // NNET3_PIPELINES_DEVICECODE_H
