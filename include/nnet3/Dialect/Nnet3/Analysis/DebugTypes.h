//===- DebugTypes.h - -debug-only in every build ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM_DEBUG prints nothing in a release build, and an LLVM without assertions
// has no -debug-only. Debug output with these functions works in every build.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_DIALECT_NNET3_ANALYSIS_DEBUGTYPES_H
#define NNET3_DIALECT_NNET3_ANALYSIS_DEBUGTYPES_H

#include "llvm/ADT/ArrayRef.h"
#include <string>

namespace mlir::nnet3 {

/// Whether debug output of `type` is enabled.
bool isDebugging(const char *type);

/// Enables debug output of `types`, like -debug-only.
void setDebugTypes(llvm::ArrayRef<std::string> types);

} // namespace mlir::nnet3

#endif // NNET3_DIALECT_NNET3_ANALYSIS_DEBUGTYPES_H
