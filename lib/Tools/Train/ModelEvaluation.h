//===- ModelEvaluation.h - A model to evaluate ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef LIB_TOOLS_TRAIN_MODELEVALUATION_H
#define LIB_TOOLS_TRAIN_MODELEVALUATION_H

#include "ExampleEvaluator.h"

namespace mlir::nnet3 {

/// A network in a module of its own, with components in test mode, and what
/// computes with it.
struct ModelEvaluation {
  OwningOpRef<ModuleOp> module;
  std::unique_ptr<NnetRunner> runner;

  /// Puts batch norm, and what is random, in test mode. Emits errors.
  static FailureOr<ModelEvaluation> create(OwningOpRef<NetworkOp> network,
                                           const RunnerOptions &options,
                                           bool batchnorm, bool random);
};

/// The examples of a table, at least one. Emits errors.
FailureOr<std::vector<ExampleQueue::Entry>>
readAllExamples(MLIRContext *context, const std::string &rspecifier,
                const ::nnet3::kaldi::TableOptions &options);

} // namespace mlir::nnet3

#endif // LIB_TOOLS_TRAIN_MODELEVALUATION_H
