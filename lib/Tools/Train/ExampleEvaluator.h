//===- ExampleEvaluator.h - Objectives of a model on examples ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef LIB_TOOLS_TRAIN_EXAMPLEEVALUATOR_H
#define LIB_TOOLS_TRAIN_EXAMPLEEVALUATOR_H

#include "Probabilities.h"
#include "nnet3/Execution/NnetRunner.h"
#include "nnet3/Tools/Common/ExampleQueue.h"
#include "nnet3/Tools/Common/ExampleRequests.h"

namespace mlir::nnet3 {

/// Computes examples and sums up their objectives.
class ExampleEvaluator {
public:
  struct Options {
    bool accuracy = false;
    /// Whether components store statistics in the model.
    bool storeComponentStats = false;
    /// Maximum number of cached compiled requests.
    size_t cacheCapacity = 64;
  };

  /// Computes with `model`, which may change between calls, or with the
  /// parameters of the runner's network if null. `runner`, the model and
  /// `chainOptions` must outlive this object.
  ExampleEvaluator(NnetRunner &runner, ::nnet3::rt::Model *model,
                   const ::nnet3::rt::ChainTrainingOptions &chainOptions,
                   Options options)
      : runner(runner), model(model), options(options),
        examples(runner, chainOptions) {}

  /// Reads the denominator graph for chain examples, unless `path` is empty.
  llvm::Error readDenominator(llvm::StringRef path) {
    return examples.readDenominator(path);
  }

  /// Adds the objectives of an example to `sums`. Emits errors.
  LogicalResult add(const ExampleQueue::Entry &entry, Probabilities &sums);

private:
  FailureOr<::nnet3::rt::Instance *>
  prepare(const ::nnet3::kaldi::AnyExample &example, Location loc);
  LogicalResult addChain(const ::nnet3::rt::Minibatch &minibatch,
                         const ::nnet3::rt::Instance &instance, Location loc,
                         Probabilities &sums);
  LogicalResult addPlain(const ::nnet3::rt::Minibatch &minibatch,
                         const ::nnet3::rt::Instance &instance, Location loc,
                         Probabilities &sums);
  bool isQuadratic(StringRef output);

  NnetRunner &runner;
  ::nnet3::rt::Model *model;
  Options options;
  ExampleRequests examples;
  /// By structure of the examples.
  llvm::StringMap<std::unique_ptr<::nnet3::rt::Instance>> instances;
};

} // namespace mlir::nnet3

#endif // LIB_TOOLS_TRAIN_EXAMPLEEVALUATOR_H
