//===- ModulePipeline.h - Pipelines over modules ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_MODULEPIPELINE_H
#define NNET3_CONVERSION_MODULEPIPELINE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

namespace mlir::nnet3 {

/// Emits an error unless pipeline `name` is added to a pass manager of modules.
inline LogicalResult
checkIsModulePipeline(OpPassManager &manager, StringRef name,
                      function_ref<LogicalResult(const Twine &)> emitError) {
  if (manager.getOpAnchorName() == ModuleOp::getOperationName())
    return success();
  return emitError("'" + name + "' runs on '" + ModuleOp::getOperationName() +
                   "', but got '" + manager.getOpAnchorName() + "'");
}

/// Registers the pipeline `name`, over modules and without options.
inline void registerModulePipeline(StringRef name, StringRef description,
                                   void (*addPasses)(OpPassManager &)) {
  registerPassPipeline(
      name, description,
      [=](OpPassManager &manager, StringRef options,
          function_ref<LogicalResult(const Twine &)> emitError)
          -> LogicalResult {
        if (!options.empty())
          return emitError("'" + name + "' has no options, but got '" +
                           options + "'");
        if (failed(checkIsModulePipeline(manager, name, emitError)))
          return failure();
        addPasses(manager);
        return success();
      },
      [](function_ref<void(const mlir::detail::PassOptions &)>) {});
}

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_MODULEPIPELINE_H
