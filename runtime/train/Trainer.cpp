//===- Trainer.cpp - The training step on the CPU -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/runtime/Trainer.h"
#include "MinibatchRunner.h"
#include "OrthonormalConstraint.h"
#include "ParameterUpdate.h"
#include "ProcessSums.h"
#include "StepRunner.h"
#include "core/ComponentState.h"
#include "core/Gemm.h"
#include "core/ThreadPool.h"
#include "nnet3/runtime/Exchange.h"

namespace nnet3 {
namespace rt {

static InstanceOptions instanceOptions(const TrainerOptions &options,
                                       Model &model, Model &delta) {
  InstanceOptions result;
  result.model = &model;
  result.gradient = &delta;
  result.storeStats = options.storeComponentStats;
  result.randomDraws = options.randomDraws;
  result.exchange = options.exchange;
  return result;
}

struct Trainer::Data : public StepBackend {
  Data(const TrainerOptions &options, std::unique_ptr<Model> network,
       std::unique_ptr<Model> accumulator, std::unique_ptr<ThreadPool> threads)
      : options(options), network(std::move(network)),
        accumulator(std::move(accumulator)), threads(std::move(threads)),
        minibatches(instanceOptions(options, model(), delta()),
                    options.makeInstance, options.maxInstanceBytes),
        steps(options, *this) {}

  Result<std::vector<OutputObjective>>
  run(const std::shared_ptr<const Program> &program, const Minibatch &minibatch,
      uint64_t seed) override {
    if (!options.isShared())
      return minibatches.run(program, minibatch, seed);
    const StatisticsExchange statistics(model());
    // Sum the contents of delta (momentum) once, from rank 0.
    if (options.exchange->rank() != 0)
      delta().setZero();
    auto objectives = minibatches.run(program, minibatch, seed);
    if (!objectives.ok())
      return objectives;
    statistics.sumChanges(*options.exchange, model());
    sumObjectives(*options.exchange, *objectives);
    return objectives;
  }
  double countSequences(int32_t here) override {
    double sequences = here;
    if (options.exchange)
      options.exchange->sum(&sequences, 1);
    return sequences;
  }
  Status addL2(double scale) override {
    rt::addL2(model(), scale, delta(), threads.get());
    return Status();
  }
  Result<bool> addDelta(double maxChangeScale, double scale) override {
    return addWithMaxChange(delta(), options.maxParamChange, maxChangeScale,
                            scale, model(), counts, threads.get());
  }
  Status scaleBatchNorm(double scale) override {
    scaleBatchNormStatistics(scale, model());
    return Status();
  }
  Status constrain(uint64_t step) override {
    constrainOrthonormal(options.seed, step, model(), options.randomDraws,
                         threads.get());
    return Status();
  }
  Status scaleDelta(float factor) override {
    delta().scale(factor, threads.get());
    return Status();
  }
  void freezeNaturalGradient(bool frozen) override {
    delta().freezeNaturalGradient(frozen);
  }
  Model &model() override { return *network; }
  Model &delta() override { return *accumulator; }

  TrainerOptions options;
  std::unique_ptr<Model> network;
  std::unique_ptr<Model> accumulator;
  std::unique_ptr<ThreadPool> threads; ///< null for one thread
  MinibatchRunner minibatches;
  MaxChangeCounts counts;
  StepRunner steps;
};

Trainer::Trainer(std::unique_ptr<Data> data) : impl(std::move(data)) {}
Trainer::~Trainer() = default;

Result<std::unique_ptr<Trainer>>
Trainer::create(std::shared_ptr<const Program> program,
                const TrainerOptions &options) {
  auto models = TrainedModels::create(std::move(program), options);
  if (!models.ok())
    return models.status();
  if (options.exchange)
    if (Status status = models->delta->setExchange(*options.exchange);
        !status.ok())
      return status;
  std::unique_ptr<ThreadPool> threads;
  if (options.numThreads > 1 && prepareBlas(options.numThreads))
    threads = ThreadPool::create(options.numThreads);
  if (options.numThreads > 1 && !threads)
    return Status(NNET3RT_OUT_OF_MEMORY,
                  "cannot have " + std::to_string(options.numThreads) +
                      " threads");
  return std::unique_ptr<Trainer>(new Trainer(
      std::make_unique<Data>(options, std::move(models->model),
                             std::move(models->delta), std::move(threads))));
}

Result<TrainingStep>
Trainer::train(const std::shared_ptr<const Program> &program,
               const Minibatch &minibatch) {
  return impl->steps.train(program, minibatch);
}

int64_t Trainer::numSteps() const { return impl->steps.getNumSteps(); }

void Trainer::setUnderlyingLearningRate(float rate) {
  impl->model().setUnderlyingLearningRate(rate);
  impl->delta().setUnderlyingLearningRate(rate);
}

void Trainer::scaleLearningRates(float factor) {
  delta().scaleLearningRates(factor);
}

Model &Trainer::model() { return impl->model(); }
const Model &Trainer::model() const { return impl->model(); }
Model &Trainer::delta() { return impl->delta(); }
const Model &Trainer::delta() const { return impl->delta(); }
const MaxChangeCounts &Trainer::maxChangeCounts() const { return impl->counts; }

Status Trainer::visitState(StateVisitor &visitor) {
  return impl->steps.visitState(impl->counts, visitor);
}

} // namespace rt
} // namespace nnet3
