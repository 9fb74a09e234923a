//===- TextTemplate.cpp - Texts with names to fill in ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TextTemplate.h"

std::string mlir::nnet3::fillTemplate(
    llvm::StringRef text,
    llvm::ArrayRef<std::pair<llvm::StringRef, std::string>> values) {
  std::string result = text.str();
  for (const auto &[name, value] : values) {
    const std::string what = ("@" + name + "@").str();
    for (size_t at = result.find(what); at != std::string::npos;
         at = result.find(what, at + value.size()))
      result.replace(at, what.size(), value);
  }
  return result;
}
