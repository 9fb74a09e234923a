//===- Modules.h - Parts of programs that need other libraries --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared objects in `lib/nnet3` beside the folder of the program. Programs load
// one when they need it, and need the library behind it only then.
//
//===----------------------------------------------------------------------===//
#ifndef NNET3_TOOLS_MODULES_H
#define NNET3_TOOLS_MODULES_H

#include "llvm/Support/Error.h"

namespace mlir::nnet3 {

/// The function `symbol` of the module NAME.so. If the build did not find what
/// the module needs, fails with `need`: "X needs a build with Y".
llvm::Expected<void *> loadModule(llvm::StringRef name, llvm::StringRef symbol,
                                  llvm::StringRef need);

} // namespace mlir::nnet3

#endif // NNET3_TOOLS_MODULES_H
