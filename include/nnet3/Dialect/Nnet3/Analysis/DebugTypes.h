//===- DebugTypes.h - -debug-only in every build ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM_DEBUG says nothing in a release build, and an LLVM without assertions
// has no -debug-only. What passes say here, they say in every build.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_DIALECT_NNET3_ANALYSIS_DEBUGTYPES_H
#define NNET3_DIALECT_NNET3_ANALYSIS_DEBUGTYPES_H

#include "llvm/ADT/ArrayRef.h"
#include <string>

namespace mlir::nnet3 {

/// Whether debug output of `type` is wanted.
bool isDebugging(const char *type);

/// Makes that of `types` wanted, as -debug-only does; nothing if there are
/// none.
void setDebugTypes(llvm::ArrayRef<std::string> types);

} // namespace mlir::nnet3

#endif // NNET3_DIALECT_NNET3_ANALYSIS_DEBUGTYPES_H
