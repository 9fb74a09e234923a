//===- StepRunner.cpp - The training step ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "StepRunner.h"
#include "MinibatchRunner.h"
#include "ParameterUpdate.h"
#include "StepRandom.h"

namespace nnet3 {
namespace rt {

//===----------------------------------------------------------------------===//
// One step
//===----------------------------------------------------------------------===//

/// Returns the scale for addL2() (spec: execution.md 3, step 3).
Result<double> StepRunner::l2Scale(const Program &program) const {
  if (options.l2RegularizeFactor == 0 || !usesL2(backend.delta()))
    return 0.0;
  auto sequences = numSequences(program);
  if (!sequences.ok())
    return sequences.status();
  return backend.countSequences(*sequences) * options.l2RegularizeFactor;
}

/// Returns the phase of the steps with backstitch modulo their interval.
static uint64_t getBackstitchPhase(const TrainerOptions &options) {
  // Kaldi draws a number from 0 to 100000.
  switch (options.randomDraws) {
  case RandomDraws::Normal:
    return options.seed;
  case RandomDraws::Zero:
    return 0;
  case RandomDraws::High:
    return 100000;
  }
  return 0;
}

bool StepRunner::isBackstitchStep() const {
  const auto interval =
      static_cast<uint64_t>(options.backstitchTrainingInterval);
  return options.backstitchTrainingScale > 0 &&
         numSteps % interval == getBackstitchPhase(options) % interval;
}

/// The seed of the random numbers of components in one minibatch.
uint64_t StepRunner::componentSeed() const {
  const auto bits =
      stepRandom(options.seed, numSteps, StepPurpose::Components, 0);
  return uint64_t(bits[1]) << 32 | bits[0];
}

Result<TrainingStep>
StepRunner::trainOrdinary(const std::shared_ptr<const Program> &program,
                          const Minibatch &minibatch) {
  auto l2 = l2Scale(*program);
  if (!l2.ok())
    return l2.status();
  auto objectives = backend.run(program, minibatch, componentSeed());
  if (!objectives.ok())
    return objectives.status();
  Status status = backend.addL2(*l2);
  if (!status.ok())
    return status;
  auto updated = backend.addDelta(1.0, 1.0 - options.momentum);
  if (!updated.ok())
    return updated.status();
  status = backend.scaleBatchNorm(options.batchnormStatsScale);
  if (status.ok())
    status = backend.constrain(numSteps);
  if (status.ok())
    status = backend.scaleDelta(*updated ? options.momentum : 0);
  if (!status.ok())
    return status;
  return TrainingStep{std::move(*objectives), !*updated};
}

/// Spec: execution.md 3.3. First a descent step with frozen preconditioners,
/// then a longer ascent step from there, with the same random numbers.
Result<TrainingStep>
StepRunner::trainBackstitch(const std::shared_ptr<const Program> &program,
                            const Minibatch &minibatch) {
  const double back = options.backstitchTrainingScale;
  const uint64_t seed = componentSeed();
  auto l2 = l2Scale(*program);
  if (!l2.ok())
    return l2.status();

  backend.freezeNaturalGradient(true);
  auto first = backend.run(program, minibatch, seed);
  backend.freezeNaturalGradient(false);
  if (!first.ok())
    return first.status();
  auto backward = backend.addDelta(back, -back);
  if (!backward.ok())
    return backward.status();
  Status status = backend.constrain(numSteps);
  if (status.ok())
    status = backend.scaleDelta(0);
  if (!status.ok())
    return status;

  auto second = backend.run(program, minibatch, seed);
  if (!second.ok())
    return second.status();
  status = backend.addL2(*l2 / (1 + back));
  if (!status.ok())
    return status;
  auto forward = backend.addDelta(1 + back, 1 + back);
  if (!forward.ok())
    return forward.status();
  status = backend.scaleBatchNorm(options.batchnormStatsScale);
  if (status.ok())
    status = backend.scaleDelta(0);
  if (!status.ok())
    return status;

  TrainingStep step{std::move(*first), !(*backward && *forward)};
  for (OutputObjective &objective : *second) {
    objective.name += "_backstitch";
    step.objectives.push_back(std::move(objective));
  }
  return step;
}

Result<TrainingStep>
StepRunner::accumulate(const std::shared_ptr<const Program> &program,
                       const Minibatch &minibatch) {
  auto objectives = backend.run(program, minibatch, componentSeed());
  if (!objectives.ok())
    return objectives.status();
  return TrainingStep{std::move(*objectives)};
}

Result<TrainingStep>
StepRunner::train(const std::shared_ptr<const Program> &program,
                  const Minibatch &minibatch) {
  auto step = options.gradientOnly ? accumulate(program, minibatch)
              : isBackstitchStep() ? trainBackstitch(program, minibatch)
                                   : trainOrdinary(program, minibatch);
  if (step.ok())
    ++numSteps;
  return step;
}

Status StepRunner::visitState(MaxChangeCounts &counts, StateVisitor &visitor) {
  auto steps = static_cast<int64_t>(numSteps);
  Status status = visitor.visit("steps", steps);
  if (status.ok())
    status = visitor.visit("max_change.components", counts.components);
  if (status.ok())
    status = visitor.visit("max_change.global", counts.global);
  if (status.ok())
    status = visitor.visit("max_change.updates", counts.updates);
  if (status.ok())
    status = backend.model().visitState("model.", visitor);
  if (status.ok())
    status = backend.delta().visitState("delta.", visitor);
  if (!status.ok())
    return status;
  const auto size = static_cast<int32_t>(counts.components.size());
  if (steps < 0 || (size != 0 && size != backend.model().numComponents()))
    return invalidArgument("the counts of the training do not go with the "
                           "network");
  numSteps = static_cast<uint64_t>(steps);
  return status;
}

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

/// Fails if an option is out of range.
static Status checkOptions(const TrainerOptions &options) {
  // Comparisons are written so that NaN fails.
  if (!(options.momentum >= 0 && options.momentum < 1))
    return invalidArgument("expects momentum from 0 to below 1, but got " +
                           std::to_string(options.momentum));
  if (!(options.l2RegularizeFactor >= 0))
    return invalidArgument("expects l2-regularize-factor of at least 0, but "
                           "got " +
                           std::to_string(options.l2RegularizeFactor));
  if (!(options.maxParamChange >= 0))
    return invalidArgument("expects max-param-change of at least 0, but got " +
                           std::to_string(options.maxParamChange));
  if (!(options.batchnormStatsScale >= 0 && options.batchnormStatsScale <= 1))
    return invalidArgument("expects batchnorm-stats-scale from 0 to 1, but "
                           "got " +
                           std::to_string(options.batchnormStatsScale));
  if (!(options.backstitchTrainingScale >= 0))
    return invalidArgument("expects backstitch-training-scale of at least 0, "
                           "but got " +
                           std::to_string(options.backstitchTrainingScale));
  if (options.backstitchTrainingInterval < 1)
    return invalidArgument("expects backstitch-training-interval of at least "
                           "1, but got " +
                           std::to_string(options.backstitchTrainingInterval));
  if (options.backstitchTrainingScale > 0 && options.momentum != 0)
    return invalidArgument("backstitch training goes without momentum only");
  return Status();
}

Result<TrainedModels>
TrainedModels::create(std::shared_ptr<const Program> program,
                      const TrainerOptions &options) {
  if (Status status = checkOptions(options); !status.ok())
    return status;
  auto model = Model::create(program);
  if (!model.ok())
    return model.status();
  auto delta = Model::create(std::move(program));
  if (!delta.ok())
    return delta.status();
  if (options.zeroComponentStats)
    (*model)->zeroStatistics();
  (*delta)->setZero();
  if (options.gradientOnly)
    (*delta)->setAsGradient();
  TrainedModels models;
  models.model = std::move(*model);
  models.delta = std::move(*delta);
  return std::move(models);
}

} // namespace rt
} // namespace nnet3
