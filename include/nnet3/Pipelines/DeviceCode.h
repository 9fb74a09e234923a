//===- DeviceCode.h - From computations to code of a GPU --------*- C++ -*-===//
#ifndef NNET3_PIPELINES_DEVICECODE_H
#define NNET3_PIPELINES_DEVICECODE_H

#include "nnet3/Pipelines/NativeCode.h"

#include "mlir/IR/BuiltinOps.h"

namespace nnet3 {

/// Like addNativePasses, for a GPU: the kernels are parallel loops, the lowered
/// ones NVVM code.
void addDevicePasses(mlir::OpPassManager &module, Stage stage,
                     bool testMode = true);

/// Makes PTX for `chip`, such as "sm_90", of the lowered kernels of `module`.
/// Fails with an error if there are none, or if there is no such chip.
llvm::FailureOr<std::string> emitPTX(mlir::ModuleOp module,
                                     llvm::StringRef chip);

} // namespace nnet3

#endif // NNET3_PIPELINES_DEVICECODE_H
