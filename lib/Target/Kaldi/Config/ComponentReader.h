//===- ComponentReader.h - Component lines of configs -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef LIB_TARGET_KALDI_CONFIG_COMPONENTREADER_H
#define LIB_TARGET_KALDI_CONFIG_COMPONENTREADER_H

#include "ConfigLine.h"

#include "mlir/IR/Builders.h"

namespace mlir::nnet3 {

/// Builds the operation of a `component` line at the builder's insertion point
/// in a network. The name has been read and checked by the caller. Returns null
/// after an error.
Operation *readComponent(ConfigLine &line, const ConfigValue &name,
                         OpBuilder &builder);

} // namespace mlir::nnet3

#endif // LIB_TARGET_KALDI_CONFIG_COMPONENTREADER_H
