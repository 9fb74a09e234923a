//===- StepRunner.h - The training step -------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spec: execution.md 3. The training step independently of the backend: the CPU
// (Trainer.cpp) or a device (cuda/DeviceTrainer.cpp).
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_RUNTIME_TRAIN_STEPRUNNER_H
#define NNET3_RUNTIME_TRAIN_STEPRUNNER_H

#include "nnet3/runtime/Trainer.h"

namespace nnet3 {
namespace rt {

/// Computes the parts of a step on the trained model and on delta, a model of
/// the same network that accumulates the change.
class StepBackend {
public:
  virtual ~StepBackend() = default;

  /// Computes the forward pass, the objectives and the backward pass; adds to
  /// delta. Random numbers depend on \p seed. After an error nothing is added.
  virtual Result<std::vector<OutputObjective>>
  run(const std::shared_ptr<const Program> &program, const Minibatch &minibatch,
      uint64_t seed) = 0;
  /// As addL2() in ParameterUpdate.h.
  virtual Status addL2(double scale) = 0;
  /// As addWithMaxChange() in ParameterUpdate.h.
  virtual Result<bool> addDelta(double maxChangeScale, double scale) = 0;
  /// As scaleBatchNormStatistics() in ParameterUpdate.h.
  virtual Status scaleBatchNorm(double scale) = 0;
  /// Applies the constraints of step \p step.
  virtual Status constrain(uint64_t step) = 0;
  /// Multiplies delta; factor 0 zeros non-finite values, too.
  virtual Status scaleDelta(float factor) = 0;
  virtual void freezeNaturalGradient(bool frozen) = 0;
  /// Returns the number of sequences of a minibatch over all processes; \p here
  /// is the number in this process.
  virtual double countSequences(int32_t here) { return here; }
  /// The models; the current parameters and statistics may be on a device.
  virtual Model &model() = 0;
  virtual Model &delta() = 0;
};

/// The trained model, and the accumulator of its change.
struct TrainedModels {
  std::unique_ptr<Model> model, delta;

  /// Creates the model of \p program and a delta of zeros. Fails if an option
  /// is out of range.
  static Result<TrainedModels> create(std::shared_ptr<const Program> program,
                                      const TrainerOptions &options);
};

/// Runs and counts steps.
class StepRunner {
public:
  StepRunner(const TrainerOptions &options, StepBackend &backend)
      : options(options), backend(backend) {}

  Result<TrainingStep> train(const std::shared_ptr<const Program> &program,
                             const Minibatch &minibatch);

  /// The number of steps so far. It determines the steps with backstitch and
  /// the random numbers.
  int64_t getNumSteps() const { return static_cast<int64_t>(numSteps); }

  /// Visits the number of steps, \p counts and the models. Fails if a value is
  /// invalid.
  Status visitState(MaxChangeCounts &counts, StateVisitor &visitor);

private:
  Result<TrainingStep> trainOrdinary(const std::shared_ptr<const Program> &,
                                     const Minibatch &);
  Result<TrainingStep> trainBackstitch(const std::shared_ptr<const Program> &,
                                       const Minibatch &);
  Result<TrainingStep> accumulate(const std::shared_ptr<const Program> &,
                                  const Minibatch &);
  Result<double> l2Scale(const Program &program) const;
  bool isBackstitchStep() const;
  uint64_t componentSeed() const;

  TrainerOptions options;
  StepBackend &backend;
  uint64_t numSteps = 0;
};

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_TRAIN_STEPRUNNER_H
