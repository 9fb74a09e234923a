//===- ConfigSources.h - What configs are read on top of --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef LIB_PIPELINES_CONFIGSOURCES_H
#define LIB_PIPELINES_CONFIGSOURCES_H

#include "nnet3/Tools/Translate.h"

namespace mlir::nnet3 {

/// Returns the model of --existing-model, or an empty network if there is none;
/// null after an error.
OwningOpRef<ModuleOp> openExistingModel(TranslationInputs &inputs);

} // namespace mlir::nnet3

#endif // LIB_PIPELINES_CONFIGSOURCES_H
