//===- DebugTypes.cpp - -debug-only in every build ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Dialect/Nnet3/Analysis/DebugTypes.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Debug.h"

// Every build of LLVM has these functions, but in our release builds the header
// defines macros instead.
#undef isCurrentDebugType
#undef setCurrentDebugTypes
namespace llvm {
bool isCurrentDebugType(const char *Type, int Level);
void setCurrentDebugTypes(const char **Types, unsigned Count);
} // namespace llvm

bool mlir::nnet3::isDebugging(const char *type) {
  return llvm::DebugFlag && llvm::isCurrentDebugType(type, 1);
}

void mlir::nnet3::setDebugTypes(llvm::ArrayRef<std::string> types) {
  if (types.empty())
    return;
  llvm::SmallVector<const char *> names;
  for (const std::string &type : types)
    names.push_back(type.c_str());
  llvm::DebugFlag = true;
  llvm::setCurrentDebugTypes(names.data(), names.size());
}
