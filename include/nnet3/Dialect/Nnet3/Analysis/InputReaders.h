//===- InputReaders.h - Rows with columns of features -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_DIALECT_NNET3_ANALYSIS_INPUTREADERS_H
#define NNET3_DIALECT_NNET3_ANALYSIS_INPUTREADERS_H

#include "nnet3/Dialect/Nnet3/IR/NetworkOps.h"

namespace mlir::nnet3 {

/// Whether `rows`, the value of a node or a descriptor, have columns of an
/// input node, directly or, with `throughMaps`, through affine maps such as
/// LDA. The columns of features and i-vectors differ widely in scale, and so do
/// those of affine maps of them.
bool hasInputColumns(Value rows, bool throughMaps = false);

} // namespace mlir::nnet3

#endif // NNET3_DIALECT_NNET3_ANALYSIS_INPUTREADERS_H
