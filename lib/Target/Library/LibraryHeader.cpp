//===- LibraryHeader.cpp - The C header of a library ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Target/Library/LibraryEmitter.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir::nnet3;
using llvm::StringRef;

/// The header of every library, with the prefix left open.
static constexpr StringRef kText =
#include "nnet3/runtime/LibraryHeaderText.inc"
    ;

static std::string replaceAll(std::string text, StringRef what,
                              StringRef with) {
  for (size_t at = text.find(what); at != std::string::npos;
       at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
  return text;
}

std::string(mlir::nnet3::getLibraryHeader)(const LibraryOptions &options) {
  std::string text = replaceAll(kText.str(), "@PREFIX@", options.prefix);
  return replaceAll(text, "@UPPER@", StringRef(options.prefix).upper());
}
