//===- EmittedStage.cpp - Stages of modules -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "EmittedStage.h"
#include "nnet3/Dialect/Kernel/IR/KernelDialect.h"
#include "nnet3/Dialect/Nnet3/IR/CommandOps.h"
#include "nnet3/Dialect/Nnet3/IR/ModuleAttributes.h"

using namespace mlir;
using namespace mlir::nnet3;

static StringRef getName(Device device) {
  return device == Device::CUDA ? "cuda" : "cpu";
}

static StringRef getName(Stage stage) {
  return getStageNames()[unsigned(stage)];
}

/// Returns the recorded stage. A module of another tool has only requests, or
/// computations.
static Stage findStage(ModuleOp module) {
  if (auto name = module->getAttrOfType<StringAttr>(kStageAttr))
    return Stage(llvm::find(getStageNames(), name) - getStageNames().begin());
  return module.getOps<ComputationOp>().empty() ? Stage::Network
                                                : Stage::Commands;
}

static LogicalResult checkPrecision(ModuleOp module,
                                    const CompilerOptions &options) {
  auto resources = kernel::ResourcesOp::find(module);
  const Precision precision =
      resources ? resources.getPrecision() : Precision::F32;
  if (options.precision == Precision::F32 || options.precision == precision)
    return success();
  return module.emitError("has kernels of precision '")
         << getPrecisionName(precision)
         << "', but got --precision=" << getPrecisionName(options.precision);
}

FailureOr<Stage> mlir::nnet3::readStage(ModuleOp module,
                                        const CompilerOptions &options) {
  const Stage stage = findStage(module);
  if (stage == Stage::Network)
    return stage;
  if (options.hasRequests())
    return module.emitError("has computations of its requests already, but "
                            "got --request or --chunk");
  if (options.emit <= Emit::LLVMDialect && Stage(options.emit) < stage)
    return module.emitError("is at stage '")
           << getName(stage)
           << "', after --emit=" << getName(Stage(options.emit));
  if (auto target = module->getAttrOfType<StringAttr>(kTargetAttr);
      target && target != getName(options.device))
    return module.emitError("is for --target=")
           << target.getValue()
           << ", but got --target=" << getName(options.device);
  if (stage >= Stage::Kernels && failed(checkPrecision(module, options)))
    return failure();
  return stage;
}
