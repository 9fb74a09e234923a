//===- EmittedStage.h - Stages of modules -----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef LIB_PIPELINES_EMITTEDSTAGE_H
#define LIB_PIPELINES_EMITTEDSTAGE_H

#include "CompilerOptions.h"
#include "nnet3/Pipelines/NativeCode.h"

namespace mlir::nnet3 {

/// Returns the stage of `module`. Emits an error if `options` need an earlier
/// stage.
llvm::FailureOr<Stage> readStage(ModuleOp module,
                                 const CompilerOptions &options);

} // namespace mlir::nnet3

#endif // LIB_PIPELINES_EMITTEDSTAGE_H
