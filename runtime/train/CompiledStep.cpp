//===- CompiledStep.cpp - Minibatches of one shape by machine code --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/runtime/CompiledStep.h"
#include "StepThreads.h"
#include "core/ComponentState.h"
#include "core/Gemm.h"
#include "cpu/math/Transpose.h"
#include "cpu/math/VectorMath.h"
#include "nnet3/runtime/AlignedMemory.h"
#include "nnet3/runtime/Exchange.h"
#include "nnet3/runtime/Model.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>
#include <utility>

namespace nnet3 {
namespace rt {

struct CompiledSteps::Data {
  /// Padding after the arena and the weights, one cache line, which vector
  /// loads may read.
  static constexpr size_t kLine = 16;

  /// A parameter of a component of the models.
  struct Place {
    int32_t component;
    size_t parameter;
  };

  Data(std::shared_ptr<const CompiledStep> code,
       std::shared_ptr<const Program> program, const InstanceOptions &options)
      : code(std::move(code)), program(std::move(program)), options(options),
        arena(sizeof(float) * (this->code->arenaFloats + kLine)),
        ownWeights(readsModel()
                       ? 0
                       : sizeof(float) * (this->code->weights.size() + kLine)) {
  }

  Status open();
  /// Whether the weights are the parameters of a model. Code that does not
  /// update parameters has them as constants.
  bool readsModel() const { return options.model && !code->parameters.empty(); }
  /// Null for one thread.
  ThreadPool *pool() const { return threads ? threads->getPool() : nullptr; }
  Status findPlaces();
  Status bindParameters();
  void findRest();
  Status checkProducts() const;
  void findScaledGradients();
  float *floats() const { return reinterpret_cast<float *>(arena.data()); }
  void begin();
  void derive();
  Status setStatistics(const Model &model, const Model *gradient);
  Status getStatistics(Model &model, Model *gradient) const;
  /// Adds gradient number \p index, times the learning rate, to the models.
  void addGradient(size_t index);
  void beginSum(const Place &place);
  /// The preconditioners of a step; null if rows or columns have none.
  struct Preconditioners {
    Preconditioner *ofRows = nullptr;
    Preconditioner *ofColumns = nullptr;
  };
  Preconditioners findPreconditioners(const CompiledStep::Step &step) const;
  /// Whether other processes have parts of the same minibatch.
  bool isShared() const {
    return options.gradient && options.exchange && options.exchange->size() > 1;
  }
  void sumOverProcesses(const CompiledStep::Step &step);
  double sumGradient(const CompiledStep::Step &step, MatrixView x);
  void completeGradient(size_t index);
  void sumRest();
  void precondition(const CompiledStep::Step &step);
  void preconditionProduct(const CompiledStep::Step &step,
                           Preconditioner *preconditioner);
  float learningRate(const Place &place) const;
  void finishUpdates();
  Status finish();

  std::shared_ptr<const CompiledStep> code;
  std::shared_ptr<const Program> program;
  InstanceOptions options;
  AlignedBytes arena;
  AlignedBytes ownWeights;        ///< a copy of the code's; see readsModel()
  const float *weights = nullptr; ///< of the model, or `ownWeights`
  /// Null for one thread.
  std::unique_ptr<StepThreads> threads;
  std::vector<Place> parameters, gradients; ///< as in the code
  /// Whether a step completes each of `gradients`, and the parameters of the
  /// models for which none does.
  std::vector<bool> isStep;
  std::vector<Place> rest;
  std::vector<double> exchanged; ///< what sumOverProcesses() sums
  size_t next = 0;               ///< step
  /// By which the rows of the next step's product must be multiplied.
  double pendingScale = 1;
  /// For each step with a product: the gradients that are multiplied by its
  /// scale when they are added to the models; if there are none, rows are.
  std::vector<std::vector<size_t>> scaledGradients;
  std::vector<float> scales; ///< of `gradients`, in this run
  uint32_t numRuns = 0;
};

std::array<CompiledStep::Symbol, 3> CompiledStep::symbols() {
  auto address = [](auto *function) {
    return reinterpret_cast<const void *>(function);
  };
  return {{{"nnet3lib_thread", address(&StepThreads::getNumber)},
           {"nnet3lib_num_threads", address(&StepThreads::getCount)},
           {"nnet3lib_barrier", address(&StepThreads::wait)}}};
}

static Status refuse(const char *what, const std::string &component) {
  return invalidProgram("the model has no " + std::string(what) +
                        " of component '" + component +
                        "' as the code has them");
}

//===----------------------------------------------------------------------===//
// Instances
//===----------------------------------------------------------------------===//

Status CompiledSteps::Data::findPlaces() {
  for (auto [from, to] : {std::pair(&code->parameters, &parameters),
                          std::pair(&code->gradients, &gradients)})
    for (const CompiledStep::Parameter &parameter : *from) {
      const int32_t component =
          options.model->findComponent(parameter.component);
      if (component < 0)
        return refuse("parameters", parameter.component);
      const auto &infos = options.model->component(component).parameters();
      const auto known = std::find_if(
          infos.begin(), infos.end(), [&](const ParameterInfo &info) {
            return info.name == parameter.name &&
                   uint64_t(info.initial.rows) * info.initial.cols ==
                       parameter.size;
          });
      if (known == infos.end())
        return refuse("parameters", parameter.component);
      to->push_back({component, size_t(known - infos.begin())});
    }
  return Status();
}

/// Finds the parameters of the model, which are in the same order as the code's
/// and as far apart.
Status CompiledSteps::Data::bindParameters() {
  for (size_t i = 0; i < parameters.size(); ++i) {
    const float *data = options.model->state(parameters[i].component)
                            .parameters[parameters[i].parameter]
                            .data;
    if (i == 0)
      weights = data - code->parameters[0].place;
    if (data != weights + code->parameters[i].place)
      return refuse("parameters", code->parameters[i].component);
  }
  return Status();
}

void CompiledSteps::Data::findRest() {
  isStep.assign(gradients.size(), false);
  std::set<std::pair<int32_t, size_t>> complete;
  for (const CompiledStep::Step &step : code->steps)
    if (step.gradient) {
      isStep[*step.gradient] = true;
      const Place &place = gradients[*step.gradient];
      complete.emplace(place.component, place.parameter);
    }
  for (int32_t i = 0; i < options.gradient->numComponents(); ++i)
    for (size_t k = 0; k < options.gradient->state(i).parameters.size(); ++k)
      if (complete.count({i, k}) == 0)
        rest.push_back({i, k});
}

/// Checks that the ranks of preconditioners match the buffers of the code.
Status CompiledSteps::Data::checkProducts() const {
  for (const CompiledStep::Step &step : code->steps) {
    if (!step.product)
      continue;
    const Preconditioner *preconditioner = findPreconditioners(step).ofRows;
    if (preconditioner && preconditioner->rank(step.product->groups *
                                               step.cols) != step.product->rank)
      return refuse("natural gradient", step.component);
  }
  return Status();
}

/// Whether a step preconditions rows.
static bool preconditions(const CompiledStep::Step &step) {
  return !step.function && !step.component.empty() && !step.gradient;
}

/// A gradient is a bilinear function of the rows. So its scale can wait for the
/// end, unless it is the sum of products with different scales.
void CompiledSteps::Data::findScaledGradients() {
  const auto &steps = code->steps;
  for (size_t i = 0; i < steps.size(); ++i) {
    const CompiledStep::Step &step = steps[i];
    if (!step.product || step.part >= 0)
      continue;
    // The other rows may have been preconditioned just before.
    const bool isSecond = i > 0 && preconditions(steps[i - 1]) &&
                          steps[i - 1].component == step.component &&
                          steps[i - 1].place == step.product->place;
    const auto count = std::count_if(
        steps.begin(), steps.end(), [&](const CompiledStep::Step &other) {
          return preconditions(other) && other.component == step.component;
        });
    for (size_t g = 0; count == 1 + isSecond && g < gradients.size(); ++g)
      if (code->gradients[g].component == step.component)
        scaledGradients[i].push_back(g);
  }
}

Status CompiledSteps::Data::open() {
  if (!arena.data() || (!readsModel() && !ownWeights.data()))
    return Status(NNET3RT_OUT_OF_MEMORY,
                  "no memory for matrices of " +
                      std::to_string(sizeof(float) * code->arenaFloats) +
                      " bytes");
  if (code->numThreads > 1 && prepareBlas(code->numThreads))
    threads = StepThreads::create(code->numThreads);
  if (code->numThreads > 1 && !threads)
    return Status(NNET3RT_OUT_OF_MEMORY, "cannot have " +
                                             std::to_string(code->numThreads) +
                                             " threads");
  std::memset(arena.data(), 0, sizeof(float) * code->arenaFloats);
  std::copy_n(code->weights.begin() + int64_t(code->constants.first),
              code->constants.size, floats() + code->constants.place);
  scaledGradients.resize(code->steps.size());
  if (!readsModel()) {
    auto *own = reinterpret_cast<float *>(ownWeights.data());
    std::copy(code->weights.begin(), code->weights.end(), own);
    weights = own;
  }
  if (!options.model)
    return Status();
  for (Model *model : {options.model, options.gradient})
    if (model)
      if (Status status = model->checkProgram(*program); !status.ok())
        return status;
  Status status = findPlaces();
  if (status.ok())
    status = bindParameters();
  if (status.ok() && options.gradient)
    findRest();
  if (status.ok())
    status = checkProducts();
  if (status.ok())
    findScaledGradients();
  return status.ok() ? setStatistics(*options.model, options.gradient) : status;
}

CompiledSteps::CompiledSteps(std::unique_ptr<Data> data)
    : impl(std::move(data)) {}
CompiledSteps::~CompiledSteps() = default;

Result<std::unique_ptr<CompiledSteps>>
CompiledSteps::create(std::shared_ptr<const CompiledStep> code,
                      std::shared_ptr<const Program> program,
                      const InstanceOptions &options) {
  auto data =
      std::make_unique<Data>(std::move(code), std::move(program), options);
  if (Status status = data->open(); !status.ok())
    return status;
  return std::unique_ptr<CompiledSteps>(new CompiledSteps(std::move(data)));
}

const Program &CompiledSteps::program() const { return *impl->program; }

void CompiledSteps::setSeed(uint64_t seed) {
  impl->options.seed = seed;
  impl->numRuns = 0;
}

uint64_t CompiledSteps::bytes() const {
  return sizeof(float) *
         (impl->code->arenaFloats +
          (impl->readsModel() ? 0 : impl->code->weights.size()));
}

Status CompiledSteps::setInput(std::string_view name, ConstMatrixView value) {
  for (const CompiledStep::Io &input : impl->code->inputs) {
    if (input.node != name)
      continue;
    if (value.rows != input.rows || value.cols != input.cols)
      return invalidArgument("input '" + input.node + "' expects a matrix of " +
                             std::to_string(input.rows) + "x" +
                             std::to_string(input.cols) + ", but got " +
                             std::to_string(value.rows) + "x" +
                             std::to_string(value.cols));
    for (int32_t row = 0; row < value.rows; ++row)
      std::copy_n(value.row(row), value.cols,
                  impl->floats() + input.place + int64_t(row) * value.cols);
    return Status();
  }
  // Inputs that the code does not read are ignored.
  return Status();
}

Result<ConstMatrixView> CompiledSteps::output(std::string_view name) const {
  for (const CompiledStep::Io &output : impl->code->outputs)
    if (output.node == name)
      return ConstMatrixView(impl->floats() + output.place, output.rows,
                             output.cols, output.cols);
  return invalidArgument("the code has no output '" + std::string(name) + "'");
}

//===----------------------------------------------------------------------===//
// Statistics
//===----------------------------------------------------------------------===//

Status CompiledSteps::Data::setStatistics(const Model &model,
                                          const Model *gradient) {
  for (const CompiledStep::Statistics &entry : code->statistics) {
    const int32_t component = model.findComponent(entry.component);
    if (component < 0 ||
        model.component(component).countStatistics() != entry.size)
      return refuse("statistics", entry.component);
    float *to = floats() + entry.place;
    const Model *from = entry.ofGradient ? gradient : &model;
    if (!from) {
      std::memset(to, 0, sizeof(double) * entry.size);
      continue;
    }
    for (const std::vector<double> &statistic :
         from->state(component).statistics) {
      std::memcpy(to, statistic.data(), sizeof(double) * statistic.size());
      to += 2 * statistic.size();
    }
  }
  return Status();
}

Status CompiledSteps::Data::getStatistics(Model &model, Model *gradient) const {
  for (const CompiledStep::Statistics &entry : code->statistics) {
    const int32_t component = model.findComponent(entry.component);
    if (component < 0 ||
        model.component(component).countStatistics() != entry.size)
      return refuse("statistics", entry.component);
    const float *from = floats() + entry.place;
    Model *to = entry.ofGradient ? gradient : &model;
    if (!to)
      continue;
    for (std::vector<double> &statistic : to->state(component).statistics) {
      std::memcpy(statistic.data(), from, sizeof(double) * statistic.size());
      from += 2 * statistic.size();
    }
  }
  return Status();
}

Status CompiledSteps::setStatistics(const Model &model, const Model *gradient) {
  return impl->setStatistics(model, gradient);
}

Status CompiledSteps::getStatistics(Model &model, Model *gradient) const {
  return impl->getStatistics(model, gradient);
}

//===----------------------------------------------------------------------===//
// Before the first function
//===----------------------------------------------------------------------===//

/// Computes what derives from the parameters of the model.
void CompiledSteps::Data::derive() {
  for (const CompiledStep::Derived &derived : code->derived) {
    float *to = floats() + derived.place;
    for (size_t i = 0; i < derived.table.size(); ++i) {
      const float value = weights[derived.table[i]];
      to[i] = std::fabs(value) < derived.least
                  ? (value < 0 ? -derived.least : derived.least)
                  : value;
    }
  }
}

void CompiledSteps::Data::begin() {
  scales.assign(gradients.size(), 1);
  if (options.model) {
    derive();
    // open() has checked the statistics.
    (void)setStatistics(*options.model, options.gradient);
  }
  if (!code->random)
    return;
  const uint32_t words[] = {static_cast<uint32_t>(options.seed),
                            static_cast<uint32_t>(options.seed >> 32), numRuns,
                            static_cast<uint32_t>(options.randomDraws)};
  std::memcpy(floats() + *code->random, words, sizeof(words));
}

//===----------------------------------------------------------------------===//
// Between functions
//===----------------------------------------------------------------------===//

/// Preconditions the columns of \p x. Returns the scale that preserves the
/// norm.
static double preconditionColumns(MatrixView x, Preconditioner &columns,
                                  ThreadPool *threads) {
  std::vector<float> memory(size_t(x.rows) * x.cols);
  const MatrixView transposed(memory.data(), x.cols, x.rows, x.rows);
  transpose(x, transposed);
  const double scale = columns.precondition(transposed, threads);
  transpose(transposed, x);
  return scale;
}

CompiledSteps::Data::Preconditioners
CompiledSteps::Data::findPreconditioners(const CompiledStep::Step &step) const {
  if (!options.gradient)
    return {};
  const int32_t index = options.gradient->findComponent(step.component);
  if (index < 0)
    return {};
  ComponentState &state = options.gradient->state(index);
  const Component &component = options.gradient->component(index);
  float rate = state.learningRate;
  size_t number = step.number;
  bool skipsRateZero = component.updateOptions().skipsRateZero;
  if (step.part >= 0) {
    const PartInfo &part = component.partInfos()[step.part];
    rate = state.partRates[step.part];
    number += part.firstPreconditioner;
    skipsRateZero = part.options.skipsRateZero;
  }
  if (state.isGradient || (rate == 0 && skipsRateZero) ||
      number + step.isTwoSided >= state.preconditioners.size())
    return {};
  return {state.preconditioners[number].get(),
          step.isTwoSided ? state.preconditioners[number + 1].get() : nullptr};
}

void CompiledSteps::Data::sumOverProcesses(const CompiledStep::Step &step) {
  if (!options.exchange || options.exchange->size() == 1)
    return;
  float *numbers = floats() + step.place;
  exchanged.resize(step.cols / 2);
  std::memcpy(exchanged.data(), numbers, sizeof(float) * step.cols);
  options.exchange->sum(exchanged.data(), int64_t(exchanged.size()));
  std::memcpy(numbers, exchanged.data(), sizeof(float) * step.cols);
}

/// Sums rows that are a gradient over processes (rt::sumGradient); rows of the
/// minibatch stay as they are.
double CompiledSteps::Data::sumGradient(const CompiledStep::Step &step,
                                        MatrixView x) {
  const int32_t index = options.gradient->findComponent(step.component);
  return options.gradient->component(index).preconditionsRows()
             ? 1
             : rt::sumGradient(options.gradient->state(index), x);
}

static void scaleRows(MatrixView x, double scale, ThreadPool *threads) {
  if (scale == 1)
    return;
  shareRange(threads, x.rows, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row)
      vecScale(x.cols, static_cast<float>(scale), x.row(row), x.row(row));
  });
}

void CompiledSteps::Data::precondition(const CompiledStep::Step &step) {
  const auto [ofRows, ofColumns] = findPreconditioners(step);
  const MatrixView x(floats() + step.place, step.rows, step.cols, step.stride);
  if (step.product)
    return preconditionProduct(step, ofRows);
  if (!ofRows)
    return;
  double scale = sumGradient(step, x);
  scale *= ofRows->precondition(x, pool());
  if (ofColumns)
    scale *= preconditionColumns(x, *ofColumns, pool());
  // A product of the same rows scales them, too.
  if (next < code->steps.size() && code->steps[next].product &&
      code->steps[next].product->place == step.place)
    pendingScale = scale;
  else
    scaleRows(x, scale, pool());
}

/// Writes the low-rank correction of the gradient matmul, or zeros without a
/// preconditioner, and scales the gradient or the other factor.
void CompiledSteps::Data::preconditionProduct(const CompiledStep::Step &step,
                                              Preconditioner *preconditioner) {
  const CompiledStep::Product &product = *step.product;
  const JoinedRows x(
      MatrixView(floats() + step.place, step.rows, step.cols, step.stride),
      product.groups, product.distance);
  const MatrixView other(floats() + product.place, x.rows, product.cols,
                         product.stride);
  PreconditionedProduct result;
  if (preconditioner)
    result = preconditioner->preconditionProduct(x, other, pool());
  const double scale = result.scale * std::exchange(pendingScale, 1);
  const std::vector<size_t> &scaled = scaledGradients[&step - &code->steps[0]];
  for (size_t index : scaled)
    scales[index] = static_cast<float>(scale);
  float *basis = floats() + product.basis, *sums = floats() + product.sums;
  const int64_t basisSize = int64_t(product.rank) * x.cols,
                sumsSize = int64_t(product.rank) * product.cols;
  if (result.basis.rows == 0) {
    std::fill_n(basis, basisSize, 0.0f);
    std::fill_n(sums, sumsSize, 0.0f);
  } else {
    std::copy_n(result.basis.data, basisSize, basis);
    vecScale(sumsSize, scaled.empty() ? static_cast<float>(-scale) : -1.0f,
             result.sums.data, sums);
  }
  if (scaled.empty())
    scaleRows(other, scale, pool());
}

//===----------------------------------------------------------------------===//
// After the last function
//===----------------------------------------------------------------------===//

/// Returns the learning rate of a parameter's part: the last part whose
/// firstParameter is not larger. Parts without parameters precede the part with
/// the same firstParameter.
float CompiledSteps::Data::learningRate(const Place &place) const {
  const ComponentState &state = options.gradient->state(place.component);
  const auto &parts = options.gradient->component(place.component).partInfos();
  float rate = state.learningRate;
  for (size_t i = 0;
       i < parts.size() && parts[i].firstParameter <= place.parameter; ++i)
    rate = state.partRates[i];
  return rate;
}

void CompiledSteps::Data::addGradient(size_t index) {
  const float rate = learningRate(gradients[index]) * scales[index];
  if (rate == 0)
    return;
  const float *from = floats() + code->gradients[index].place;
  float *to = options.gradient->state(gradients[index].component)
                  .parameters[gradients[index].parameter]
                  .data;
  shareRange(pool(), static_cast<int64_t>(code->gradients[index].size),
             [&](int64_t begin, int64_t end) {
               vecAxpy(end - begin, rate, from + begin, to + begin);
             });
}

/// Updates the estimates of natural gradient that have been put off.
void CompiledSteps::Data::finishUpdates() {
  std::vector<Preconditioner *> all;
  for (int32_t i = 0; i < options.gradient->numComponents(); ++i)
    for (auto &preconditioner : options.gradient->state(i).preconditioners)
      all.push_back(preconditioner.get());
  shareEach(pool(), all.size(), [&](int64_t i) { all[i]->finishUpdate(); });
}

void CompiledSteps::Data::beginSum(const Place &place) {
  const MatrixView &values =
      options.gradient->state(place.component).parameters[place.parameter];
  options.exchange->beginSum(values.data, int64_t(values.rows) * values.cols);
}

/// Adds a gradient to the models, and begins to sum it over processes.
void CompiledSteps::Data::completeGradient(size_t index) {
  if (!options.gradient)
    return;
  addGradient(index);
  if (isShared())
    beginSum(gradients[index]);
}

/// Sums the gradients that no step has begun to sum, and the statistics, over
/// processes; waits for all sums.
void CompiledSteps::Data::sumRest() {
  for (const Place &place : rest)
    beginSum(place);
  options.exchange->wait();
  options.gradient->sumStatistics(*options.exchange);
}

Status CompiledSteps::addGradient(Model &to) const {
  for (const CompiledStep::Parameter &gradient : impl->code->gradients) {
    const auto size = static_cast<int32_t>(gradient.size);
    const ConstMatrixView values(impl->floats() + gradient.place, 1, size,
                                 size);
    if (Status status =
            to.addToParameter(gradient.component, gradient.name, values);
        !status.ok())
      return status;
  }
  return Status();
}

Status CompiledSteps::Data::finish() {
  next = 0;
  ++numRuns;
  if (!options.model)
    return Status();
  if (options.gradient) {
    for (size_t i = 0; i < gradients.size(); ++i)
      if (!isStep[i])
        addGradient(i);
    finishUpdates();
  }
  Status status = getStatistics(*options.model, options.gradient);
  if (status.ok() && isShared())
    sumRest();
  return status;
}

Status CompiledSteps::run() {
  if (impl->next == 0)
    impl->begin();
  while (impl->next < impl->code->steps.size()) {
    const CompiledStep::Step &step = impl->code->steps[impl->next++];
    if (step.function && impl->threads)
      impl->threads->run(step.function, impl->floats(), impl->weights,
                         impl->code->rowTables.data());
    else if (step.function)
      step.function(impl->floats(), impl->weights, impl->code->rowTables.data(),
                    nullptr);
    else if (step.sums)
      impl->sumOverProcesses(step);
    else if (step.gradient)
      impl->completeGradient(*step.gradient);
    else if (!step.component.empty())
      impl->precondition(step);
    else
      return Status();
  }
  return impl->finish();
}

} // namespace rt
} // namespace nnet3
