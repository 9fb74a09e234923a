//===- ExampleEvaluator.h - A model's objectives on examples ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef LIB_TOOLS_TRAIN_EXAMPLEEVALUATOR_H
#define LIB_TOOLS_TRAIN_EXAMPLEEVALUATOR_H

#include "Probabilities.h"
#include "nnet3/Execution/NnetRunner.h"
#include "nnet3/Tools/ExampleQueue.h"
#include "nnet3/Tools/ExampleRequests.h"

namespace mlir::nnet3 {

/// Computes examples, and adds up their objectives.
class ExampleEvaluator {
public:
  struct Options {
    bool accuracy = false;
    /// Whether components keep statistics, in the model.
    bool storeComponentStats = false;
    /// Compiled requests that are kept.
    size_t cacheCapacity = 64;
  };

  /// Computes with `model`, which may change between calls; null for the
  /// parameters of the runner's network. `runner`, the model and `chainOptions`
  /// outlive this.
  ExampleEvaluator(NnetRunner &runner, ::nnet3::rt::Model *model,
                   const ::nnet3::rt::ChainTrainingOptions &chainOptions,
                   Options options)
      : runner(runner), model(model), options(options),
        examples(runner, chainOptions) {}

  /// From now on examples are chain examples, unless `path` is empty.
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
  /// By structure of the example.
  llvm::StringMap<std::unique_ptr<::nnet3::rt::Instance>> instances;
};

} // namespace mlir::nnet3

#endif // LIB_TOOLS_TRAIN_EXAMPLEEVALUATOR_H
