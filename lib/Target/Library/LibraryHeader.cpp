//===- LibraryHeader.cpp - The C header of a library ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TextTemplate.h"
#include "nnet3/Target/Library/LibraryEmitter.h"

using namespace mlir::nnet3;
using llvm::StringRef;

/// The header of every library, with the prefix left open.
static constexpr StringRef kText =
#include "nnet3/runtime/LibraryHeaderText.inc"
    ;

std::string mlir::nnet3::getLibraryHeader(const LibraryOptions &options) {
  return fillTemplate(kText, {{"PREFIX", options.prefix},
                              {"UPPER", StringRef(options.prefix).upper()}});
}
