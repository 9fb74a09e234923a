//===- ModelChanges.h - Changes of models by options ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The options that nnet3-copy and nnet3-am-copy share (spec: nnet3bin.md 3).
//
//===----------------------------------------------------------------------===//
#ifndef NNET3_TOOLS_MODELCHANGES_H
#define NNET3_TOOLS_MODELCHANGES_H

#include "nnet3/Dialect/Nnet3/IR/NetworkOps.h"
#include "nnet3/Tools/Common/OptionParser.h"

namespace mlir::nnet3 {

/// The changes of a network that options request. The functions emit errors,
/// after which the network must not be used.
struct ModelChanges {
  std::string nnetConfig;
  std::string editsConfig;
  std::string edits;
  float learningRate = -1;
  float scale = 1;
  bool prepareForTest = false;
  bool batchnormTestMode = false;
  /// Verbosity.
  int32_t verbose = 0;

  void registerOptions(OptionParser &parser);

  /// Reads the config on top of the network, and initialises new parameters.
  LogicalResult readNnetConfig(NetworkOp network) const;
  LogicalResult setLearningRate(NetworkOp network) const;
  LogicalResult applyScale(NetworkOp network) const;
  /// Applies the directives of the file, then those of the command line.
  LogicalResult applyEdits(NetworkOp network) const;
  /// Sets the test modes and merges components.
  LogicalResult prepare(NetworkOp network) const;
  LogicalResult setBatchNormMode(NetworkOp network) const;

  /// Applies all changes in the order of nnet3-copy.
  LogicalResult applyAll(NetworkOp network) const;
};

} // namespace mlir::nnet3

#endif // NNET3_TOOLS_MODELCHANGES_H
