//===- DeviceTrainer.cpp - The training step on a GPU ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/runtime/cuda/DeviceTrainer.h"
#include "DeviceParameters.h"
#include "TrainingShape.h"
#include "TrainingStatistics.h"
#include "train/MinibatchRunner.h"
#include "train/ParameterUpdate.h"
#include "train/ProcessSums.h"
#include "train/StepRunner.h"

namespace nnet3 {
namespace rt {
namespace cuda {

class DeviceTrainer::Data : public StepBackend, public DeviceSteps {
public:
  Data(const TrainerOptions &options, std::unique_ptr<TrainingDevice> device,
       std::unique_ptr<Model> network, std::unique_ptr<Model> accumulator)
      : options(options), device(std::move(device)),
        parameters(*this->device, std::move(network), std::move(accumulator)),
        statistics(*this->device, parameters.getModel(), parameters.getDelta()),
        steps(options, *this) {}
  ~Data() override;

  Status addShape(std::shared_ptr<const Program> program,
                  DeviceTrainingRequest request,
                  std::shared_ptr<const DeviceWeights> weights,
                  std::shared_ptr<const DeviceCode> code);

  Result<std::vector<OutputObjective>>
  run(const std::shared_ptr<const Program> &program, const Minibatch &minibatch,
      uint64_t seed) override;
  double countSequences(int32_t here) override {
    double sequences = here;
    if (options.exchange)
      options.exchange->sum(&sequences, 1);
    return sequences;
  }
  Status addL2(double scale) override;
  Result<bool> addDelta(double maxChangeScale, double scale) override;
  Status scaleBatchNorm(double scale) override;
  Status constrain(uint64_t step) override;
  Status scaleDelta(float factor) override;
  void freezeNaturalGradient(bool frozen) override;
  Model &model() override { return parameters.getModel(); }
  Model &delta() override { return parameters.getDelta(); }

  Error run(const Step &step, Pointer rows, Stream stream) override;
  bool waits() const override {
    return current->hasSupervisor() || !device->isAlone();
  }

  Error moveTo(TrainingShape &shape);
  Error clearDelta();
  Result<std::vector<OutputObjective>>
  runShape(TrainingShape &shape, const Minibatch &minibatch, uint64_t seed);
  Result<std::vector<OutputObjective>>
  runShared(TrainingShape &shape, const Minibatch &minibatch, uint64_t seed);
  /// Calls \p work with the device's context current.
  template <typename Work> Status onDevice(Work work) const;

  TrainerOptions options;
  std::unique_ptr<TrainingDevice> device;
  DeviceParameters parameters;
  TrainingStatistics statistics;
  std::vector<std::unique_ptr<TrainingShape>> shapes;
  /// The shape that has run last; null if the models of the host are current.
  TrainingShape *current = nullptr;
  MaxChangeCounts counts;
  StepRunner steps;
};

DeviceTrainer::Data::~Data() { shapes.clear(); }

template <typename Work> Status DeviceTrainer::Data::onDevice(Work work) const {
  ContextScope scope(device->getApi(), device->getContext());
  Error error = scope.getError();
  if (error == 0)
    error = work();
  return error ? makeStatus(device->getApi(), error, "training") : Status();
}

Status
DeviceTrainer::Data::addShape(std::shared_ptr<const Program> program,
                              DeviceTrainingRequest request,
                              std::shared_ptr<const DeviceWeights> weights,
                              std::shared_ptr<const DeviceCode> code) {
  Status status = model().checkProgram(*program);
  if (status.ok())
    status = parameters.check(request);
  if (status.ok())
    status = statistics.check(request);
  if (!status.ok())
    return status;
  ContextScope scope(device->getApi(), device->getContext());
  auto made = TrainingShape::create(
      *device, std::move(program), std::move(request), std::move(weights),
      std::move(code), *this, options.randomDraws);
  if (!made.ok())
    return made.status();
  shapes.push_back(std::move(*made));
  return onDevice([&] { return parameters.allocate(*shapes.back()); });
}

//===----------------------------------------------------------------------===//
// The parts of a step
//===----------------------------------------------------------------------===//

/// Makes \p shape the current one: moves parameters and statistics to it.
Error DeviceTrainer::Data::moveTo(TrainingShape &shape) {
  Error error = 0;
  if (!current) {
    error = parameters.upload(shape);
    if (error == 0)
      error = parameters.uploadDelta();
    if (error == 0)
      error = parameters.uploadPreconditioners();
    if (error == 0)
      error = statistics.upload(shape);
  } else if (current != &shape) {
    error = parameters.move(*current, shape);
    if (error == 0)
      error = statistics.move(*current, shape);
  }
  current = &shape;
  return error;
}

Result<std::vector<OutputObjective>>
DeviceTrainer::Data::run(const std::shared_ptr<const Program> &program,
                         const Minibatch &minibatch, uint64_t seed) {
  TrainingShape *shape = nullptr;
  for (const auto &known : shapes)
    if (&known->getProgram() == program.get())
      shape = known.get();
  if (!shape)
    return invalidArgument("the trainer has no code for the program");
  if (Status status = checkTraining(*program, minibatch); !status.ok())
    return status;
  Status status = onDevice([&] { return moveTo(*shape); });
  if (!status.ok())
    return status;
  return device->isAlone() ? runShape(*shape, minibatch, seed)
                           : runShared(*shape, minibatch, seed);
}

Result<std::vector<OutputObjective>>
DeviceTrainer::Data::runShape(TrainingShape &shape, const Minibatch &minibatch,
                              uint64_t seed) {
  ContextScope scope(device->getApi(), device->getContext());
  Status status = onDevice([&] { return parameters.beginRun(); });
  if (status.ok())
    status = shape.submit(minibatch, seed);
  if (status.ok())
    status = onDevice([&] { return parameters.accumulate(shape); });
  if (!status.ok())
    return status;
  return shape.finish();
}

Error DeviceTrainer::Data::clearDelta() {
  const Error error = parameters.scaleDelta(0);
  return error ? error : statistics.scaleDelta(*current, 0);
}

/// Runs a part of a minibatch, and sums delta, statistics and objectives over
/// processes, on the host. Delta is summed while the device runs.
Result<std::vector<OutputObjective>>
DeviceTrainer::Data::runShared(TrainingShape &shape, const Minibatch &minibatch,
                               uint64_t seed) {
  Exchange &exchange = *options.exchange;
  Status status = onDevice([&] {
    const Error error = statistics.download(shape);
    // The contents of delta (momentum) are summed once, from rank 0.
    return error || exchange.rank() == 0 ? error : clearDelta();
  });
  if (!status.ok())
    return status;
  const StatisticsExchange before(model());
  auto objectives = runShape(shape, minibatch, seed);
  if (!objectives.ok())
    return objectives;
  status = onDevice([&] {
    const Error error = statistics.download(shape);
    return error ? error : parameters.finishSums();
  });
  if (!status.ok())
    return status;
  delta().sumStatistics(exchange);
  before.sumChanges(exchange, model());
  sumObjectives(exchange, *objectives);
  status = onDevice([&] { return statistics.upload(shape); });
  if (!status.ok())
    return status;
  return objectives;
}

Error DeviceTrainer::Data::run(const Step &step, Pointer rows, Stream stream) {
  if (!step.parameter.empty())
    return parameters.complete(step, rows);
  if (step.component.empty() && !step.sums)
    return current->computeObjectives(stream);
  // Processes that share minibatches wait for the device here.
  const Error error = parameters.beginSums();
  if (error)
    return error;
  return step.sums ? device->sumDoubles(rows, step.columns / 2)
                   : parameters.precondition(step, rows);
}

Status DeviceTrainer::Data::addL2(double scale) {
  return onDevice([&] {
    const Error error = parameters.addL2(*current, scale);
    return error ? error : statistics.addL2(*current, scale);
  });
}

Result<bool> DeviceTrainer::Data::addDelta(double maxChangeScale,
                                           double scale) {
  std::vector<double> sumSquares;
  Status status = onDevice([&] { return parameters.sumSquares(sumSquares); });
  if (!status.ok())
    return status;
  const UpdateScales scales =
      limitChange(delta(), sumSquares, options.maxParamChange, maxChangeScale,
                  scale, counts);
  status = onDevice([&] {
    Error error =
        scales.areFinite ? parameters.addDelta(*current, scales.components) : 0;
    if (error == 0 && scales.areFinite)
      error = statistics.addDelta(*current, scales.components);
    return error ? error : parameters.finishPreconditioners();
  });
  if (!status.ok())
    return status;
  return scales.areFinite;
}

Status DeviceTrainer::Data::scaleBatchNorm(double scale) {
  return onDevice([&] { return statistics.scaleBatchNorm(*current, scale); });
}

Status DeviceTrainer::Data::constrain(uint64_t step) {
  return onDevice(
      [&] { return parameters.constrain(*current, options, step); });
}

Status DeviceTrainer::Data::scaleDelta(float factor) {
  return onDevice([&] {
    const Error error = parameters.scaleDelta(factor);
    return error ? error : statistics.scaleDelta(*current, factor);
  });
}

void DeviceTrainer::Data::freezeNaturalGradient(bool frozen) {
  parameters.freeze(frozen);
}

//===----------------------------------------------------------------------===//
// The interface
//===----------------------------------------------------------------------===//

DeviceTrainer::DeviceTrainer(std::unique_ptr<Data> data)
    : impl(std::move(data)) {}
DeviceTrainer::~DeviceTrainer() = default;

Result<std::unique_ptr<DeviceTrainer>>
DeviceTrainer::create(const CudaApi &api, int number,
                      std::shared_ptr<const Program> program,
                      std::shared_ptr<const DeviceCode> updateCode,
                      const TrainerOptions &options) {
  auto models = TrainedModels::create(std::move(program), options);
  if (!models.ok())
    return models.status();
  if (options.exchange)
    if (Status status = models->delta->setExchange(*options.exchange);
        !status.ok())
      return status;
  auto device = TrainingDevice::create(api, number, std::move(updateCode));
  if (!device.ok())
    return device.status();
  (*device)->setExchange(options.exchange);
  return std::unique_ptr<DeviceTrainer>(
      new DeviceTrainer(std::make_unique<Data>(options, std::move(*device),
                                               std::move(models->model),
                                               std::move(models->delta))));
}

Status DeviceTrainer::addShape(std::shared_ptr<const Program> program,
                               DeviceTrainingRequest request,
                               std::shared_ptr<const DeviceWeights> weights,
                               std::shared_ptr<const DeviceCode> code) {
  return impl->addShape(std::move(program), std::move(request),
                        std::move(weights), std::move(code));
}

Result<TrainingStep>
DeviceTrainer::train(const std::shared_ptr<const Program> &program,
                     const Minibatch &minibatch) {
  return impl->steps.train(program, minibatch);
}

void DeviceTrainer::setUnderlyingLearningRate(float rate) {
  impl->model().setUnderlyingLearningRate(rate);
  impl->delta().setUnderlyingLearningRate(rate);
}

void DeviceTrainer::scaleLearningRates(float factor) {
  impl->delta().scaleLearningRates(factor);
}

Status DeviceTrainer::average(Exchange &exchange, float share) {
  Status status;
  if (!impl->current)
    status =
        impl->onDevice([&] { return impl->moveTo(*impl->shapes.front()); });
  if (status.ok())
    status = download();
  if (!status.ok())
    return status;
  impl->model().average(exchange, share);
  return impl->onDevice([&] {
    const Error error = impl->parameters.upload(*impl->current);
    return error ? error : impl->statistics.upload(*impl->current);
  });
}

Status DeviceTrainer::download() {
  if (!impl->current)
    return Status();
  return impl->onDevice([&] {
    const Error error = impl->parameters.download(*impl->current);
    return error ? error : impl->statistics.download(*impl->current);
  });
}

Status DeviceTrainer::visitState(StateVisitor &visitor) {
  Status status = download();
  if (status.ok())
    status = impl->steps.visitState(impl->counts, visitor);
  // The visitor may have changed the models.
  impl->current = nullptr;
  return status;
}

const Model &DeviceTrainer::model() const { return impl->model(); }
const Model &DeviceTrainer::delta() const { return impl->delta(); }
const MaxChangeCounts &DeviceTrainer::maxChangeCounts() const {
  return impl->counts;
}

} // namespace cuda
} // namespace rt
} // namespace nnet3
