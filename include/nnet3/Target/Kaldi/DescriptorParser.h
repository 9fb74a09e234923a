//===- DescriptorParser.h - Text of descriptors -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_TARGET_KALDI_DESCRIPTORPARSER_H
#define NNET3_TARGET_KALDI_DESCRIPTORPARSER_H

#include "nnet3/Dialect/Nnet3/Analysis/Descriptor.h"

namespace mlir::nnet3 {

/// Parses a descriptor of the general grammar (spec: descriptors.md 3). Leaves
/// have names and locations, but no values yet. `locAt` gives the location of a
/// byte offset in `text`; errors are emitted there.
FailureOr<Descriptor>
parseDescriptor(llvm::StringRef text,
                llvm::function_ref<LocationAttr(size_t)> locAt);

/// What a leaf stands for, given its word and location; emits an error if it is
/// nothing.
using DescriptorLeafParser = llvm::function_ref<FailureOr<Descriptor>(
    llvm::StringRef word, LocationAttr loc)>;

/// Parses a descriptor whose leaves may be other words than names; `parseLeaf`
/// says what they stand for.
FailureOr<Descriptor>
parseDescriptor(llvm::StringRef text,
                llvm::function_ref<LocationAttr(size_t)> locAt,
                DescriptorLeafParser parseLeaf);

/// Whether `name` reads as a name: a letter or `_`, then letters, digits, `_`,
/// `-` and `.`.
bool isNameToken(llvm::StringRef name);

/// Whether `name` is a word of the descriptor language, which no node may have
/// as its name.
bool isDescriptorKeyword(llvm::StringRef name);

} // namespace mlir::nnet3

#endif // NNET3_TARGET_KALDI_DESCRIPTORPARSER_H
