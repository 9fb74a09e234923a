//===- MinibatchRunner.h - Forward, objective, backward ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spec: execution.md 3, steps 1 and 2.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_RUNTIME_TRAIN_MINIBATCHRUNNER_H
#define NNET3_RUNTIME_TRAIN_MINIBATCHRUNNER_H

#include "nnet3/runtime/Trainer.h"

#include <vector>

namespace nnet3 {
namespace rt {

/// Runs minibatches of several shapes with the same models, and caches the
/// instances.
class MinibatchRunner {
public:
  /// \p factory creates each instance with \p options. The least recently used
  /// instances beyond a total of \p maxBytes are destroyed, but never the last
  /// one.
  MinibatchRunner(InstanceOptions options, StepInstanceFactory factory,
                  uint64_t maxBytes)
      : options(std::move(options)), factory(std::move(factory)),
        maxBytes(maxBytes) {}

  /// Runs \p program on \p minibatch and updates the models. Random numbers
  /// depend on \p seed only. Returns the objectives in the order of the
  /// program's outputs. After an error nothing is updated.
  Result<std::vector<OutputObjective>>
  run(const std::shared_ptr<const Program> &program, const Minibatch &minibatch,
      uint64_t seed);

private:
  Result<StepInstance *>
  instanceOf(const std::shared_ptr<const Program> &program);
  void dropUnused();
  Result<std::vector<OutputObjective>>
  runParts(StepInstance &instance, const Minibatch &minibatch, uint64_t seed);
  Status forward(StepInstance &instance, const Minibatch &minibatch);
  /// Returns the outputs whose derivative the program reads, with buffers for
  /// the derivatives.
  Result<std::vector<OutputSupervisor::Output>>
  getOutputs(StepInstance &instance);

  InstanceOptions options;
  StepInstanceFactory factory;
  uint64_t maxBytes;
  /// In order of use, the latest last.
  std::vector<std::unique_ptr<StepInstance>> instances;
  /// Derivatives of outputs, which the backward pass borrows. Reused, as they
  /// are large.
  std::vector<std::vector<float>> derivatives;
};

/// Fails if \p program has no backward pass that updates the model, or if the
/// inputs or supervision of \p minibatch do not match it.
Status checkTraining(const Program &program, const Minibatch &minibatch);

/// Returns the number of sequences of a minibatch of \p program, from the
/// indexes of its outputs. Fails if there are no indexes, or if the outputs
/// differ.
Result<int32_t> numSequences(const Program &program);

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_TRAIN_MINIBATCHRUNNER_H
