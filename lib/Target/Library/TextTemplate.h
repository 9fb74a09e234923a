//===- TextTemplate.h - Texts with names to fill in -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LIB_TARGET_LIBRARY_TEXTTEMPLATE_H
#define LIB_TARGET_LIBRARY_TEXTTEMPLATE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <utility>

namespace mlir::nnet3 {

/// `text` with the value of each name in the place of @NAME@.
std::string
fillTemplate(llvm::StringRef text,
             llvm::ArrayRef<std::pair<llvm::StringRef, std::string>> values);

} // namespace mlir::nnet3

#endif // LIB_TARGET_LIBRARY_TEXTTEMPLATE_H
