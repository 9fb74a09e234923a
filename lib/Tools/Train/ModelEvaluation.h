//===- ModelEvaluation.h - A model for evaluation ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef LIB_TOOLS_TRAIN_MODELEVALUATION_H
#define LIB_TOOLS_TRAIN_MODELEVALUATION_H

#include "ExampleEvaluator.h"

namespace mlir::nnet3 {

/// A network in its own module, with components in test mode, and its runner.
struct ModelEvaluation {
  OwningOpRef<ModuleOp> module;
  std::unique_ptr<NnetRunner> runner;

  /// Sets the test modes of batch norm and of random components. Emits errors.
  static FailureOr<ModelEvaluation> create(OwningOpRef<NetworkOp> network,
                                           const RunnerOptions &options,
                                           bool batchnorm, bool random);
};

/// Reads all examples of a table, at least one. Emits errors.
FailureOr<std::vector<ExampleQueue::Entry>>
readAllExamples(MLIRContext *context, const std::string &rspecifier,
                const ::nnet3::kaldi::TableOptions &options);

} // namespace mlir::nnet3

#endif // LIB_TOOLS_TRAIN_MODELEVALUATION_H
