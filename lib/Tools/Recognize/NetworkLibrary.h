//===- NetworkLibrary.h - A model, compiled once ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_LIB_TOOLS_RECOGNIZE_NETWORKLIBRARY_H
#define NNET3_LIB_TOOLS_RECOGNIZE_NETWORKLIBRARY_H

#include "RecognizeOptions.h"

namespace mlir::nnet3 {

/// The path of a library that streams the acoustic model `model`: that of the
/// options, one of an earlier run in the cache, or one that `nnet3-compile`
/// makes now.
llvm::Expected<std::string> findNetworkLibrary(llvm::StringRef model,
                                               const RecognizeOptions &options);

} // namespace mlir::nnet3

#endif // NNET3_LIB_TOOLS_RECOGNIZE_NETWORKLIBRARY_H
