//===- StepRunner.h - The training step -------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spec: execution.md 3. What a step consists of, whatever computes it: the CPU
// (Trainer.cpp) or a device (cuda/DeviceTrainer.cpp).
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_RUNTIME_TRAIN_STEPRUNNER_H
#define NNET3_RUNTIME_TRAIN_STEPRUNNER_H

#include "nnet3/runtime/Trainer.h"

namespace nnet3 {
namespace rt {

/// What computes the parts of a step: on a model, whose parameters are those
/// that are trained, and on delta, a model of the same network.
class StepBackend {
public:
  virtual ~StepBackend() = default;

  /// Forward, objectives and backward, with random numbers that are a function
  /// of \p seed; adds to delta. After an error nothing is added.
  virtual Result<std::vector<OutputObjective>>
  run(const std::shared_ptr<const Program> &program, const Minibatch &minibatch,
      uint64_t seed) = 0;
  /// As addL2() in ParameterUpdate.h.
  virtual Status addL2(double scale) = 0;
  /// As addWithMaxChange() there.
  virtual Result<bool> addDelta(double maxChangeScale, double scale) = 0;
  /// As scaleBatchNormStatistics() there.
  virtual Status scaleBatchNorm(double scale) = 0;
  /// Applies the constraints of step \p step.
  virtual Status constrain(uint64_t step) = 0;
  /// Multiplies delta; for 0 sets it to zero whatever it was.
  virtual Status scaleDelta(float factor) = 0;
  virtual void freezeNaturalGradient(bool frozen) = 0;
  /// The sequences of a minibatch of which there are \p here in this process.
  virtual double countSequences(int32_t here) { return here; }
  /// The models, of which the parameters and statistics may be elsewhere.
  virtual Model &model() = 0;
  virtual Model &delta() = 0;
};

/// What is trained, and what is added to it.
struct TrainedModels {
  std::unique_ptr<Model> model, delta;

  /// The model of \p program and a delta of zeros. Fails if an option is out of
  /// its range.
  static Result<TrainedModels> create(std::shared_ptr<const Program> program,
                                      const TrainerOptions &options);
};

/// Runs steps, and counts them.
class StepRunner {
public:
  StepRunner(const TrainerOptions &options, StepBackend &backend)
      : options(options), backend(backend) {}

  Result<TrainingStep> train(const std::shared_ptr<const Program> &program,
                             const Minibatch &minibatch);

  /// How many steps there have been; decides which come with backstitch, and
  /// what is random in the next ones.
  int64_t getNumSteps() const { return static_cast<int64_t>(numSteps); }
  void setNumSteps(int64_t steps) { numSteps = static_cast<uint64_t>(steps); }

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
