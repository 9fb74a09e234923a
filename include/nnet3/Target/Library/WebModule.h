//===- WebModule.h - Libraries in WebAssembly -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_TARGET_LIBRARY_WEBMODULE_H
#define NNET3_TARGET_LIBRARY_WEBMODULE_H

#include "nnet3/Target/Library/LibraryEmitter.h"

namespace mlir::nnet3 {

/// Returns the arguments of wasm-ld besides the files of a library: the
/// functions that the ES module calls.
std::vector<std::string> getWebLinkArguments(const LibraryOptions &options);

/// Returns the ES module through which JavaScript programs use the library
/// `name`, which has `weightsBytes` bytes of weights.
std::string getWebModule(const LibraryOptions &options, llvm::StringRef name,
                         size_t weightsBytes);

/// Returns the TypeScript declarations of the ES module.
std::string getWebTypes(llvm::StringRef name);

} // namespace mlir::nnet3

#endif // NNET3_TARGET_LIBRARY_WEBMODULE_H
