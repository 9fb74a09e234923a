//===- NetworkLibrary.h - Compiling a model, with a cache -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_LIB_TOOLS_RECOGNIZE_NETWORKLIBRARY_H
#define NNET3_LIB_TOOLS_RECOGNIZE_NETWORKLIBRARY_H

#include "RecognizeOptions.h"

namespace mlir::nnet3 {

/// Returns the path of a library that streams the acoustic model `model`: from
/// the options, from the cache, or newly compiled with `nnet3-compile`.
llvm::Expected<std::string> findNetworkLibrary(llvm::StringRef model,
                                               const RecognizeOptions &options);

} // namespace mlir::nnet3

#endif // NNET3_LIB_TOOLS_RECOGNIZE_NETWORKLIBRARY_H
