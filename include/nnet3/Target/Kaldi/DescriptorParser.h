//===- DescriptorParser.h - Parser of descriptors ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_TARGET_KALDI_DESCRIPTORPARSER_H
#define NNET3_TARGET_KALDI_DESCRIPTORPARSER_H

#include "nnet3/Dialect/Nnet3/Analysis/Descriptor.h"

namespace mlir::nnet3 {

/// Parses a descriptor of the general grammar (spec: descriptors.md 3). Leaves
/// have names and locations, but no values yet. `locAt` gives the location of a
/// byte offset in `text`, at which errors are emitted.
FailureOr<Descriptor>
parseDescriptor(llvm::StringRef text,
                llvm::function_ref<LocationAttr(size_t)> locAt);

/// Returns the descriptor of a leaf from its word and location; emits an error
/// if the word is invalid.
using DescriptorLeafParser = llvm::function_ref<FailureOr<Descriptor>(
    llvm::StringRef word, LocationAttr loc)>;

/// Parses a descriptor whose leaves may be words other than names, which
/// `parseLeaf` parses.
FailureOr<Descriptor>
parseDescriptor(llvm::StringRef text,
                llvm::function_ref<LocationAttr(size_t)> locAt,
                DescriptorLeafParser parseLeaf);

/// Whether `name` has the form of a name: a letter or `_`, then letters,
/// digits,
/// `_`, `-` and `.`.
bool isNameToken(llvm::StringRef name);

/// Whether `name` is a keyword of the descriptor language, which is not allowed
/// as the name of a node.
bool isDescriptorKeyword(llvm::StringRef name);

} // namespace mlir::nnet3

#endif // NNET3_TARGET_KALDI_DESCRIPTORPARSER_H
