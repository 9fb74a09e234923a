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

/// Like addNativePasses, but for a GPU: kernels are parallel loops, and are
/// lowered to NVVM. With `training`, for requests with a backward pass: without
/// fusion, and without setting test mode.
void addDevicePasses(
    OpPassManager &module, StageRange stages, bool testMode = true,
    Precision precision = Precision::F32,
    const std::optional<TrainingCode> &training = std::nullopt);

/// Emits PTX of the lowered kernels of `module` for each of `chips`, such as
/// "sm_90"; none if the module has only matmuls. Emits an error if a chip does
/// not exist.
llvm::FailureOr<std::vector<::nnet3::rt::cuda::DevicePtx>>
emitPTX(ModuleOp module, llvm::ArrayRef<std::string> chips);

/// Emits the code and the launches of the lowered kernels of `module`.
llvm::FailureOr<DeviceProgram>
emitDeviceProgram(ModuleOp module, llvm::ArrayRef<std::string> chips);

} // namespace mlir::nnet3

#endif // NNET3_PIPELINES_DEVICECODE_H
