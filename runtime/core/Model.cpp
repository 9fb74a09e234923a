//===- Model.cpp - Parameters and statistics of a network -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/runtime/Model.h"
#include "ComponentState.h"
#include "ProgramData.h"
#include "ThreadPool.h"
#include "cpu/math/VectorMath.h"
#include "nnet3/runtime/Exchange.h"

#include <algorithm>

namespace nnet3 {
namespace rt {

struct Model::Data {
  /// Owns the components, whose declarations index the states.
  std::shared_ptr<const Program> program;
  AlignedBytes storage; ///< of all parameters
  std::vector<ComponentState> states;
};

Model::Model(std::unique_ptr<Data> data) : impl(std::move(data)) {}
Model::~Model() = default;

/// Floats of a cache line. Vector loads of machine code (CompiledStep.h) may
/// read one behind the last parameter.
static constexpr uint64_t kLine = 16;

/// Size of a parameter in the storage, in floats.
static uint64_t paddedSize(const ConstMatrixView &values) {
  return (uint64_t(values.rows) * values.cols + kLine - 1) / kLine * kLine;
}

static ComponentState initialState(const Component &component,
                                   float *&storage) {
  ComponentState state;
  for (const ParameterInfo &info : component.parameters()) {
    const ConstMatrixView &initial = info.initial;
    std::copy_n(initial.data, int64_t(initial.rows) * initial.cols, storage);
    state.parameters.emplace_back(storage, initial.rows, initial.cols,
                                  initial.cols);
    storage += paddedSize(initial);
  }
  for (const StatisticInfo &info : component.statistics())
    state.statistics.emplace_back(info.initial).resize(info.size);
  for (const NaturalGradientOptions &options : component.preconditioners())
    state.preconditioners.push_back(makePreconditioner(options));
  state.learningRate = component.updateOptions().learningRate;
  state.isGradient = component.updateOptions().isGradient;
  for (const PartInfo &part : component.partInfos())
    state.partRates.push_back(part.options.learningRate);
  return state;
}

/// Size of all statistics of \p program in bytes.
static uint64_t statisticBytes(const ProgramData &program) {
  uint64_t size = 0;
  for (const auto &component : program.components)
    size += component->countStatistics(); // each is below 2^36
  return size * sizeof(double);
}

Result<std::unique_ptr<Model>>
Model::create(std::shared_ptr<const Program> program) {
  auto data = std::make_unique<Data>();
  const auto &components = program->data().components;
  const uint64_t limit = program->data().maxArenaBytes;
  if (const uint64_t bytes = statisticBytes(program->data()); bytes > limit)
    return invalidProgram("the model needs " + std::to_string(bytes) +
                          " bytes for statistics, but at most " +
                          std::to_string(limit) + " are allowed");
  uint64_t floats = 0;
  for (const auto &component : components)
    for (const ParameterInfo &info : component->parameters())
      floats += paddedSize(info.initial);
  data->storage = AlignedBytes((floats + kLine) * sizeof(float));
  if (!data->storage.data())
    return Status(NNET3RT_OUT_OF_MEMORY,
                  "no memory for " + std::to_string(floats) + " parameters");
  auto *storage = reinterpret_cast<float *>(data->storage.data());
  for (const auto &component : components)
    data->states.push_back(initialState(*component, storage));
  data->program = std::move(program);
  return std::unique_ptr<Model>(new Model(std::move(data)));
}

/// Whether the states of the two components have equal shapes.
static bool sameShapes(const Component &a, const Component &b) {
  return std::equal(a.parameters().begin(), a.parameters().end(),
                    b.parameters().begin(), b.parameters().end(),
                    [](const ParameterInfo &p, const ParameterInfo &q) {
                      return p.initial.rows == q.initial.rows &&
                             p.initial.cols == q.initial.cols;
                    }) &&
         std::equal(a.statistics().begin(), a.statistics().end(),
                    b.statistics().begin(), b.statistics().end(),
                    [](const StatisticInfo &p, const StatisticInfo &q) {
                      return p.size == q.size;
                    }) &&
         a.preconditioners().size() == b.preconditioners().size();
}

Status Model::checkProgram(const Program &program) const {
  const ProgramData &data = program.data();
  if (data.components.size() != impl->states.size())
    return invalidArgument("the model has " +
                           std::to_string(impl->states.size()) +
                           " components, but the program has " +
                           std::to_string(data.components.size()));
  for (int32_t i = 0; i < numComponents(); ++i) {
    const schema::Component *other = data.root->components()->Get(i);
    if (componentName(i) != other->name()->string_view() ||
        componentType(i) != other->type()->string_view() ||
        !sameShapes(component(i), *data.components[i]))
      return invalidArgument("component '" + std::string(componentName(i)) +
                             "' of the model differs from the program's");
  }
  return Status();
}

Status Model::checkModel(const Model &other) const {
  return checkProgram(*other.impl->program);
}

float Model::learningRate(int32_t index) const {
  return state(index).learningRate;
}

std::vector<std::vector<double>> Model::gradientSpectra(int32_t index) const {
  std::vector<std::vector<double>> spectra;
  for (const auto &preconditioner : state(index).preconditioners)
    spectra.push_back(preconditioner->eigenvalues());
  return spectra;
}

static Status visitPreconditioner(const std::string &prefix,
                                  Preconditioner &preconditioner,
                                  StateVisitor &visitor) {
  PreconditionerState state = preconditioner.state();
  Status status = visitor.visit(prefix + "steps", state.steps);
  if (status.ok())
    status = visitor.visit(prefix + "rho", state.rho);
  if (status.ok())
    status = visitor.visit(prefix + "d", state.diagonal);
  if (status.ok())
    status = visitor.visit(prefix + "basis", state.basis);
  if (!status.ok())
    return status;
  status = preconditioner.setState(std::move(state));
  return status.ok()
             ? status
             : invalidArgument("'" + prefix + "basis': " + status.message());
}

static Status visitComponent(const std::string &prefix,
                             const Component &component, ComponentState &state,
                             StateVisitor &visitor) {
  for (size_t p = 0; p < state.parameters.size(); ++p) {
    MatrixView &values = state.parameters[p];
    Status status =
        visitor.visit(prefix + component.parameters()[p].name, values.data,
                      int64_t(values.rows) * values.cols);
    if (!status.ok())
      return status;
  }
  for (size_t s = 0; s < state.statistics.size(); ++s) {
    const std::string name = prefix + component.statistics()[s].name;
    const size_t size = state.statistics[s].size();
    Status status = visitor.visit(name, state.statistics[s]);
    if (!status.ok())
      return status;
    if (state.statistics[s].size() != size)
      return invalidArgument("expects " + std::to_string(size) +
                             " values of '" + name + "', but got " +
                             std::to_string(state.statistics[s].size()));
  }
  for (size_t i = 0; i < state.preconditioners.size(); ++i) {
    Status status =
        visitPreconditioner(prefix + "preconditioner" + std::to_string(i) + ".",
                            *state.preconditioners[i], visitor);
    if (!status.ok())
      return status;
  }
  return Status();
}

Status Model::visitState(const std::string &prefix, StateVisitor &visitor) {
  for (int32_t i = 0; i < numComponents(); ++i) {
    Status status = visitComponent(prefix + std::string(componentName(i)) + ".",
                                   component(i), state(i), visitor);
    if (!status.ok())
      return status;
  }
  return Status();
}

int32_t Model::numComponents() const {
  return static_cast<int32_t>(impl->states.size());
}

int32_t Model::findComponent(std::string_view name) const {
  for (int32_t i = 0; i < numComponents(); ++i)
    if (componentName(i) == name)
      return i;
  return -1;
}

std::string_view Model::componentName(int32_t index) const {
  return impl->program->data()
      .root->components()
      ->Get(index)
      ->name()
      ->string_view();
}

std::string_view Model::componentType(int32_t index) const {
  return impl->program->data()
      .root->components()
      ->Get(index)
      ->type()
      ->string_view();
}

const Component &Model::component(int32_t index) const {
  return *impl->program->data().components[index];
}

bool Model::isUpdatable(int32_t index) const {
  return component(index).properties() & kUpdatableComponent;
}

ComponentState &Model::state(int32_t index) { return impl->states[index]; }
const ComponentState &Model::state(int32_t index) const {
  return impl->states[index];
}

//===----------------------------------------------------------------------===//
// Several processes
//===----------------------------------------------------------------------===//

Status Model::setExchange(Exchange &exchange) {
  for (int32_t i = 0; i < numComponents(); ++i) {
    if (!state(i).preconditioners.empty() && !component(i).sharesMinibatches())
      return invalidArgument(
          "component '" + std::string(componentName(i)) + "' of type " +
          std::string(componentType(i)) +
          " with natural gradient does not train on parts of minibatches");
    state(i).exchange = &exchange;
    if (!component(i).preconditionsRows())
      continue;
    for (auto &preconditioner : state(i).preconditioners)
      preconditioner->setExchange(&exchange);
  }
  return Status();
}

void Model::beginSum(int32_t index, Exchange &exchange) {
  for (MatrixView &parameter : state(index).parameters)
    exchange.beginSum(parameter.data, int64_t(parameter.rows) * parameter.cols);
}

void Model::average(Exchange &exchange, float share) {
  scale(share);
  for (int32_t i = 0; i < numComponents(); ++i)
    beginSum(i, exchange);
  exchange.wait();
  sumStatistics(exchange);
}

void Model::sumStatistics(Exchange &exchange) {
  std::vector<double> values;
  for (const ComponentState &state : impl->states)
    for (const std::vector<double> &statistic : state.statistics)
      values.insert(values.end(), statistic.begin(), statistic.end());
  exchange.sum(values.data(), static_cast<int64_t>(values.size()));
  auto next = values.begin();
  for (ComponentState &state : impl->states)
    for (std::vector<double> &statistic : state.statistics) {
      std::copy_n(next, statistic.size(), statistic.begin());
      next += static_cast<int64_t>(statistic.size());
    }
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

static int64_t size(const ConstMatrixView &parameter) {
  return int64_t(parameter.rows) * parameter.cols;
}

void Model::setZero() { scale(0); }

void Model::zeroStatistics() {
  for (ComponentState &state : impl->states)
    for (std::vector<double> &statistic : state.statistics)
      std::fill(statistic.begin(), statistic.end(), 0.0);
}

void Model::setAsGradient() {
  for (ComponentState &state : impl->states) {
    state.learningRate = 1;
    state.partRates.assign(state.partRates.size(), 1.0f);
    state.isGradient = true;
  }
}

void Model::setUnderlyingLearningRate(float rate) {
  for (int32_t i = 0; i < numComponents(); ++i) {
    ComponentState &to = state(i);
    if (to.isGradient)
      continue;
    to.learningRate = rate * component(i).updateOptions().learningRateFactor;
    const std::vector<PartInfo> &parts = component(i).partInfos();
    for (size_t p = 0; p < parts.size(); ++p)
      to.partRates[p] = to.learningRate * parts[p].options.learningRateFactor;
  }
}

void Model::scaleLearningRates(float factor) {
  for (ComponentState &state : impl->states) {
    state.learningRate *= factor;
    for (float &rate : state.partRates)
      rate *= factor;
  }
}

namespace {

/// Consecutive elements of a parameter, which one thread processes.
struct Piece {
  int32_t component;
  size_t parameter;
  int64_t begin, size;

  float *of(const Model &model) const {
    return model.state(component).parameters[parameter].data + begin;
  }
};

/// Does not depend on the number of threads. Sums of pieces are added in order,
/// so that results do not depend on it either.
constexpr int64_t kPieceFloats = 1 << 16;

/// Cuts the parameters of the components for which \p select returns true.
template <typename Select>
std::vector<Piece> cut(const Model &model, const Select &select) {
  std::vector<Piece> pieces;
  for (int32_t i = 0; i < model.numComponents(); ++i) {
    const std::vector<MatrixView> &parameters = model.state(i).parameters;
    for (size_t p = 0; p < parameters.size() && select(i); ++p)
      for (int64_t begin = 0, all = size(parameters[p]); begin < all;
           begin += kPieceFloats)
        pieces.push_back({i, p, begin, std::min(kPieceFloats, all - begin)});
  }
  return pieces;
}

} // namespace

void Model::scale(float factor, ThreadPool *threads) {
  const std::vector<Piece> pieces = cut(*this, [](int32_t) { return true; });
  shareEach(threads, pieces.size(), [&](int64_t number) {
    const Piece &piece = pieces[number];
    float *values = piece.of(*this);
    if (factor == 0) // zeros non-finite values, too
      std::fill_n(values, piece.size, 0.0f);
    else
      vecScale(piece.size, factor, values, values);
  });
  if (factor == 0)
    return zeroStatistics();
  for (ComponentState &state : impl->states)
    for (std::vector<double> &statistic : state.statistics)
      for (double &value : statistic)
        value *= factor;
}

void Model::add(float factor, const Model &other) {
  addComponents(std::vector<double>(numComponents(), factor), other);
}

void Model::addComponents(const std::vector<double> &factors,
                          const Model &other, ThreadPool *threads) {
  const std::vector<Piece> pieces =
      cut(*this, [&](int32_t component) { return factors[component] != 0; });
  shareEach(threads, pieces.size(), [&](int64_t number) {
    const Piece &piece = pieces[number];
    vecAxpy(piece.size, static_cast<float>(factors[piece.component]),
            piece.of(other), piece.of(*this));
  });
  for (int32_t i = 0; i < numComponents(); ++i) {
    ComponentState &to = state(i);
    const ComponentState &from = other.state(i);
    const auto factor = static_cast<float>(factors[i]);
    for (size_t s = 0; s < to.statistics.size() && factor != 0; ++s)
      for (size_t k = 0; k < to.statistics[s].size(); ++k)
        to.statistics[s][k] += factor * from.statistics[s][k];
  }
}

std::vector<double> Model::sumSquares(ThreadPool *threads) const {
  const std::vector<Piece> pieces =
      cut(*this, [&](int32_t component) { return isUpdatable(component); });
  std::vector<double> partial(pieces.size()), sums(numComponents());
  shareEach(threads, pieces.size(), [&](int64_t number) {
    partial[number] =
        vecSumSquares(pieces[number].size, pieces[number].of(*this));
  });
  for (size_t number = 0; number < pieces.size(); ++number)
    sums[pieces[number].component] += partial[number];
  return sums;
}

Status Model::addToParameter(std::string_view component, std::string_view name,
                             ConstMatrixView values) {
  for (int32_t i = 0; i < numComponents(); ++i) {
    const std::vector<ParameterInfo> &infos = this->component(i).parameters();
    for (size_t p = 0; p < infos.size(); ++p) {
      MatrixView &to = state(i).parameters[p];
      if (componentName(i) != component || infos[p].name != name ||
          size(to) != size(values))
        continue;
      for (int32_t row = 0; row < values.rows; ++row)
        vecAxpy(values.cols, 1, values.row(row),
                to.data + int64_t(row) * values.cols);
      return Status();
    }
  }
  return invalidArgument("there is no such parameter as '" + std::string(name) +
                         "' of component '" + std::string(component) + "'");
}

double Model::dotProduct(int32_t index, const Model &other) const {
  const ComponentState &a = state(index), &b = other.state(index);
  double sum = 0;
  for (size_t p = 0; p < a.parameters.size(); ++p)
    sum += vecDot(size(a.parameters[p]), a.parameters[p].data,
                  b.parameters[p].data);
  return sum;
}

void Model::freezeNaturalGradient(bool frozen) {
  for (ComponentState &state : impl->states)
    for (auto &preconditioner : state.preconditioners)
      preconditioner->freeze(frozen);
}

void Model::exportComponent(int32_t index, AttributeWriter &writer) const {
  const Component &from = component(index);
  const ComponentState &values = state(index);
  if (isUpdatable(index)) {
    writer.real("learning_rate", values.learningRate);
    writer.flag("is_gradient", values.isGradient);
  }
  for (size_t i = 0; i < from.parameters().size(); ++i)
    writer.parameter(from.parameters()[i].name, values.parameters[i],
                     from.parameters()[i].isVector);
  from.exportStatistics(values, writer);
}

} // namespace rt
} // namespace nnet3
