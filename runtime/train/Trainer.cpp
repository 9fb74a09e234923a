//===- Trainer.cpp - The training step ------------------------------------===//

#include "nnet3/runtime/Trainer.h"
#include "MinibatchRunner.h"
#include "OrthonormalConstraint.h"
#include "ParameterUpdate.h"
#include "StepRandom.h"

namespace nnet3 {
namespace runtime {

struct Trainer::Data {
  Data(const TrainerOptions &options, std::unique_ptr<Model> network,
       std::unique_ptr<Model> accumulator);

  Result<TrainingStep> trainOrdinary(const std::shared_ptr<const Program> &,
                                     const Minibatch &);
  Result<TrainingStep> trainBackstitch(const std::shared_ptr<const Program> &,
                                       const Minibatch &);
  Result<TrainingStep> accumulate(const std::shared_ptr<const Program> &,
                                  const Minibatch &);
  Result<double> l2Scale(const Program &program) const;
  bool addDelta(double maxChangeScale, double scale);
  bool isBackstitchStep() const;

  TrainerOptions options;
  std::unique_ptr<Model> model;
  std::unique_ptr<Model> delta;
  MinibatchRunner runner;
  MaxChangeCounts counts;
  uint64_t numSteps = 0;
};

static InstanceOptions instanceOptions(const TrainerOptions &options,
                                       Model &model, Model &delta) {
  InstanceOptions result;
  result.model = &model;
  result.gradient = &delta;
  result.storeStats = options.storeComponentStats;
  return result;
}

Trainer::Data::Data(const TrainerOptions &options,
                    std::unique_ptr<Model> network,
                    std::unique_ptr<Model> accumulator)
    : options(options), model(std::move(network)),
      delta(std::move(accumulator)),
      runner(instanceOptions(options, *model, *delta),
             options.maxInstanceBytes) {}

//===----------------------------------------------------------------------===//
// One step
//===----------------------------------------------------------------------===//

/// What addL2() takes as scale (spec: execution.md 3, step 3).
Result<double> Trainer::Data::l2Scale(const Program &program) const {
  if (options.l2RegularizeFactor == 0 || !usesL2(*delta))
    return 0.0;
  auto sequences = numSequences(program);
  if (!sequences.ok())
    return sequences.status();
  return double(*sequences) * options.l2RegularizeFactor;
}

bool Trainer::Data::addDelta(double maxChangeScale, double scale) {
  return addWithMaxChange(*delta, options.maxParamChange, maxChangeScale, scale,
                          *model, counts);
}

bool Trainer::Data::isBackstitchStep() const {
  const auto interval =
      static_cast<uint64_t>(options.backstitchTrainingInterval);
  return options.backstitchTrainingScale > 0 &&
         numSteps % interval == options.seed % interval;
}

/// The seed of the random numbers of components in one minibatch.
static uint64_t componentSeed(uint64_t seed, uint64_t step) {
  const auto bits = stepRandom(seed, step, StepPurpose::Components, 0);
  return uint64_t(bits[1]) << 32 | bits[0];
}

Result<TrainingStep>
Trainer::Data::trainOrdinary(const std::shared_ptr<const Program> &program,
                             const Minibatch &minibatch) {
  auto l2 = l2Scale(*program);
  if (!l2.ok())
    return l2.status();
  auto objectives =
      runner.run(program, minibatch, componentSeed(options.seed, numSteps));
  if (!objectives.ok())
    return objectives.status();
  addL2(*model, *l2, *delta);
  const bool updated = addDelta(1.0, 1.0 - options.momentum);
  scaleBatchNormStatistics(options.batchnormStatsScale, *model);
  constrainOrthonormal(options.seed, numSteps, *model);
  delta->scale(updated ? options.momentum : 0);
  return TrainingStep{std::move(*objectives), !updated};
}

/// Spec: execution.md 3.3. First a step downhill that does not train the
/// preconditioners, then a longer one uphill from there, with the same random
/// numbers.
Result<TrainingStep>
Trainer::Data::trainBackstitch(const std::shared_ptr<const Program> &program,
                               const Minibatch &minibatch) {
  const double back = options.backstitchTrainingScale;
  const uint64_t seed = componentSeed(options.seed, numSteps);
  auto l2 = l2Scale(*program);
  if (!l2.ok())
    return l2.status();

  delta->freezeNaturalGradient(true);
  auto first = runner.run(program, minibatch, seed);
  delta->freezeNaturalGradient(false);
  if (!first.ok())
    return first.status();
  bool updated = addDelta(back, -back);
  constrainOrthonormal(options.seed, numSteps, *model);
  delta->scale(0);

  auto second = runner.run(program, minibatch, seed);
  if (!second.ok())
    return second.status();
  addL2(*model, *l2 / (1 + back), *delta);
  updated = addDelta(1 + back, 1 + back) && updated;
  scaleBatchNormStatistics(options.batchnormStatsScale, *model);
  delta->scale(0);

  TrainingStep step{std::move(*first), !updated};
  for (OutputObjective &objective : *second) {
    objective.name += "_backstitch";
    step.objectives.push_back(std::move(objective));
  }
  return step;
}

Result<TrainingStep>
Trainer::Data::accumulate(const std::shared_ptr<const Program> &program,
                          const Minibatch &minibatch) {
  auto objectives =
      runner.run(program, minibatch, componentSeed(options.seed, numSteps));
  if (!objectives.ok())
    return objectives.status();
  return TrainingStep{std::move(*objectives)};
}

//===----------------------------------------------------------------------===//
// The interface
//===----------------------------------------------------------------------===//

static Status checkOptions(const TrainerOptions &options) {
  // Comparisons are such that NaN fails.
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

Trainer::Trainer(std::unique_ptr<Data> data) : impl(std::move(data)) {}
Trainer::~Trainer() = default;

Result<std::unique_ptr<Trainer>>
Trainer::create(std::shared_ptr<const Program> program,
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
  return std::unique_ptr<Trainer>(new Trainer(
      std::make_unique<Data>(options, std::move(*model), std::move(*delta))));
}

Result<TrainingStep>
Trainer::train(const std::shared_ptr<const Program> &program,
               const Minibatch &minibatch) {
  auto step = impl->options.gradientOnly ? impl->accumulate(program, minibatch)
              : impl->isBackstitchStep()
                  ? impl->trainBackstitch(program, minibatch)
                  : impl->trainOrdinary(program, minibatch);
  if (step.ok())
    ++impl->numSteps;
  return step;
}

void Trainer::setUnderlyingLearningRate(float rate) {
  impl->model->setUnderlyingLearningRate(rate);
  impl->delta->setUnderlyingLearningRate(rate);
}

Model &Trainer::model() { return *impl->model; }
const Model &Trainer::model() const { return *impl->model; }
Model &Trainer::delta() { return *impl->delta; }
const Model &Trainer::delta() const { return *impl->delta; }
const MaxChangeCounts &Trainer::maxChangeCounts() const { return impl->counts; }

} // namespace runtime
} // namespace nnet3
