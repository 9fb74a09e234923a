//===- Modules.h - Modules with additional dependencies ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared objects in `lib/nnet3` next to the folder of the program. Programs
// load a module on demand, and need the libraries that it depends on only then.
//
//===----------------------------------------------------------------------===//
#ifndef NNET3_TOOLS_COMMON_MODULES_H
#define NNET3_TOOLS_COMMON_MODULES_H

#include "llvm/Support/Error.h"

namespace mlir::nnet3 {

/// Returns the function `symbol` of the module NAME.so. Returns the error
/// `need`, such as "X needs a build with Y", if the module was not built
/// because a dependency was missing.
llvm::Expected<void *> loadModule(llvm::StringRef name, llvm::StringRef symbol,
                                  llvm::StringRef need);

} // namespace mlir::nnet3

#endif // NNET3_TOOLS_COMMON_MODULES_H
