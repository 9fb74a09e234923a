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

/// Runs minibatches of several shapes with the same models, and keeps the
/// instances.
class MinibatchRunner {
public:
  /// \p options are those of each instance, which \p factory makes. Of the
  /// instances, as many are kept as have \p maxBytes together, and the last
  /// one.
  MinibatchRunner(InstanceOptions options, StepInstanceFactory factory,
                  uint64_t maxBytes)
      : options(std::move(options)), factory(std::move(factory)),
        maxBytes(maxBytes) {}

  /// Runs \p program on \p minibatch, with random numbers that are a function
  /// of \p seed alone, and updates the models. Gives the objectives, in the
  /// order of the program's outputs. After an error nothing is updated.
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
  /// The outputs with a derivative, and room for each.
  Result<std::vector<OutputSupervisor::Output>>
  getOutputs(StepInstance &instance);

  InstanceOptions options;
  StepInstanceFactory factory;
  uint64_t maxBytes;
  /// The last used comes last.
  std::vector<std::unique_ptr<StepInstance>> instances;
  /// What the backward pass borrows, one per output. Kept, as they are large.
  std::vector<std::vector<float>> derivatives;
};

/// An error where \p program has no backward pass that updates, or \p minibatch
/// not just what it asks for.
Status checkTraining(const Program &program, const Minibatch &minibatch);

/// Sequences of a minibatch of \p program, from the outputs' indexes. An error
/// where there are none, or where the outputs differ.
Result<int32_t> numSequences(const Program &program);

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_TRAIN_MINIBATCHRUNNER_H
