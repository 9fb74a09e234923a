//===- WebModule.h - Libraries in WebAssembly -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_TARGET_LIBRARY_WEBMODULE_H
#define NNET3_TARGET_LIBRARY_WEBMODULE_H

#include "nnet3/Target/Library/LibraryEmitter.h"

namespace mlir::nnet3 {

/// What wasm-ld gets beside the files of a library: which functions the ES
/// module calls.
std::vector<std::string> getWebLinkArguments(const LibraryOptions &options);

/// The ES module of the library `name`, by which a program in JavaScript uses
/// the library, with `weightsBytes` bytes of weights.
std::string getWebModule(const LibraryOptions &options, llvm::StringRef name,
                         size_t weightsBytes);

/// The types of the ES module for TypeScript.
std::string getWebTypes(llvm::StringRef name);

} // namespace mlir::nnet3

#endif // NNET3_TARGET_LIBRARY_WEBMODULE_H
