//===- EmittedStage.h - Modules between two stages --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef LIB_PIPELINES_EMITTEDSTAGE_H
#define LIB_PIPELINES_EMITTEDSTAGE_H

#include "CompileOptions.h"
#include "nnet3/Pipelines/NativeCode.h"

namespace mlir::nnet3 {

/// The stage that `module` has reached. Fails with an error if `options` ask
/// for what only an earlier stage can give.
llvm::FailureOr<Stage> readStage(ModuleOp module,
                                 const CompileOptions &options);

} // namespace mlir::nnet3

#endif // LIB_PIPELINES_EMITTEDSTAGE_H
