//===- DeviceParameters.cpp - Updates of parameters on a GPU --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DeviceParameters.h"
#include "core/ComponentState.h"
#include "train/ParameterUpdate.h"

#include <algorithm>

namespace nnet3 {
namespace rt {
namespace cuda {

static constexpr int64_t kParts = UpdateKernels::kParts;

DeviceParameters::DeviceParameters(TrainingDevice &device,
                                   std::unique_ptr<Model> model,
                                   std::unique_ptr<Model> delta)
    : device(device), model(std::move(model)), delta(std::move(delta)),
      memory(device.getApi()), parts(device.getApi()), sums(device),
      hostParts(device.getApi()) {}

DeviceParameters::~DeviceParameters() {
  ContextScope scope(device.getApi(), device.getContext());
  device.wait();
  preconditioners.clear();
  sums.release();
  memory.release();
  parts.release();
  hostParts.release();
}

//===----------------------------------------------------------------------===//
// Layout
//===----------------------------------------------------------------------===//

DeviceParameters::Entry *DeviceParameters::find(const std::string &component,
                                                const std::string &parameter) {
  for (Entry &entry : entries)
    if (model->componentName(entry.component) == component &&
        model->component(entry.component).parameters()[entry.parameter].name ==
            parameter)
      return &entry;
  return nullptr;
}

/// Returns the learning rate of a parameter's part: the last part whose
/// firstParameter is not larger. Parts without parameters precede the part with
/// the same firstParameter.
float DeviceParameters::getLearningRate(const Entry &entry) const {
  const ComponentState &state = delta->state(entry.component);
  const auto &parts = model->component(entry.component).partInfos();
  float rate = state.learningRate;
  for (size_t i = 0;
       i < parts.size() && parts[i].firstParameter <= entry.parameter; ++i)
    rate = state.partRates[i];
  return rate;
}

static Status refuse(const std::string &component, const std::string &name) {
  return invalidProgram("the device has no parameter '" + name +
                        "' of component '" + component +
                        "' as the model has it");
}

Status DeviceParameters::check(const DeviceTrainingRequest &request) {
  std::vector<Entry> all;
  for (int32_t i = 0; i < model->numComponents(); ++i) {
    const auto &infos = model->component(i).parameters();
    for (size_t p = 0; p < infos.size() && model->isUpdatable(i); ++p) {
      const auto known = std::find_if(
          request.parameters.begin(), request.parameters.end(),
          [&](const DeviceTrainingRequest::Parameter &parameter) {
            return parameter.component == model->componentName(i) &&
                   parameter.parameter == infos[p].name;
          });
      const int64_t size =
          int64_t(infos[p].initial.rows) * infos[p].initial.cols;
      if (known == request.parameters.end() ||
          known->size != static_cast<uint64_t>(size))
        return refuse(std::string(model->componentName(i)), infos[p].name);
      all.push_back({i, p, known->place, size});
    }
  }
  auto areSame = [](const Entry &a, const Entry &b) {
    return a.place == b.place;
  };
  if (isAllocated && !std::equal(all.begin(), all.end(), entries.begin(),
                                 entries.end(), areSame))
    return invalidProgram("the parameters are elsewhere than in the programs "
                          "before");
  entries = std::move(all);
  for (const auto &gradient : request.gradients) {
    const Entry *entry = find(gradient.component, gradient.parameter);
    if (!entry || static_cast<uint64_t>(entry->size) != gradient.size)
      return refuse(gradient.component, gradient.parameter);
  }
  return Status();
}

Error DeviceParameters::allocate(const TrainingShape &shape) {
  if (isAllocated)
    return shape.derive();
  for (const Entry &entry : entries)
    size = std::max(size, entry.place + entry.size);
  // The orthonormal constraint needs two sums.
  const size_t floats = kParts * std::max<size_t>(2, entries.size());
  Error error = memory.allocate(sizeof(float) * size);
  if (error == 0)
    error = parts.allocate(sizeof(float) * floats);
  if (error == 0)
    error = hostParts.allocate(floats);
  isAllocated = error == 0;
  return error ? error : scaleDelta(0);
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

Error DeviceParameters::move(const TrainingShape &from,
                             const TrainingShape &to) {
  const UpdateKernels &kernels = device.getKernels();
  const Stream stream = device.getStream();
  if (from.getWeight(0) == to.getWeight(0))
    return 0;
  const auto count = static_cast<int64_t>(size);
  Error error = kernels.scale(stream, to.getWeight(0), count, 0);
  if (error == 0)
    error = kernels.add(stream, to.getWeight(0), from.getWeight(0), count, 1);
  return error ? error : to.derive();
}

Error DeviceParameters::beginRun() {
  for (Entry &entry : entries)
    entry.isComplete = false;
  return device.isAlone() ? 0 : sums.reset(memory.get(), size);
}

Error DeviceParameters::addGradient(const Entry &entry, Pointer gradient) {
  const float rate = getLearningRate(entry);
  return rate == 0
             ? 0
             : device.getKernels().add(device.getStream(), getPlace(entry),
                                       gradient, entry.size, rate);
}

Error DeviceParameters::complete(const Step &step, Pointer gradient) {
  // check() has checked the gradients.
  Entry &entry = *find(step.component, step.parameter);
  entry.isComplete = true;
  const Error error = addGradient(entry, gradient);
  return error || device.isAlone() ? error : sums.add(entry.place, entry.size);
}

Error DeviceParameters::beginSums() {
  return device.isAlone() ? 0 : sums.begin();
}

Error DeviceParameters::accumulate(const TrainingShape &shape) {
  Error error = 0;
  for (const auto &gradient : shape.getRequest().gradients) {
    const Entry &entry = *find(gradient.component, gradient.parameter);
    if (error == 0 && !entry.isComplete)
      error = addGradient(entry, shape.getGradient(gradient.place));
  }
  if (device.isAlone())
    return error;
  for (const Entry &entry : entries)
    if (error == 0 && !entry.isComplete)
      error = sums.add(entry.place, entry.size);
  return error ? error : sums.begin();
}

Error DeviceParameters::finishSums() { return sums.finish(); }

Error DeviceParameters::addL2(const TrainingShape &shape, double scale) {
  Error error = 0;
  for (const Entry &entry : entries) {
    const double factor = scale * l2Factor(*delta, entry.component);
    if (error == 0 && factor != 0)
      error = device.getKernels().add(device.getStream(), getPlace(entry),
                                      shape.getWeight(entry.place), entry.size,
                                      static_cast<float>(factor));
  }
  return error;
}

Error DeviceParameters::sumSquares(std::vector<double> &sums) {
  Error error = 0;
  for (size_t i = 0; i < entries.size() && error == 0; ++i)
    error = device.getKernels().squares(
        device.getStream(), parts.get() + sizeof(float) * kParts * i,
        {getPlace(entries[i]), 1, entries[i].size, entries[i].size});
  if (error == 0)
    error =
        device.toHost(hostParts.get(), parts.get(), kParts * entries.size());
  if (error == 0)
    error = device.wait();
  sums.assign(delta->numComponents(), 0);
  for (size_t i = 0; i < entries.size() && error == 0; ++i)
    sums[entries[i].component] += addParts(hostParts.get() + kParts * i);
  return error;
}

Error DeviceParameters::addDelta(const TrainingShape &shape,
                                 const std::vector<double> &scales) {
  Error error = 0;
  for (const Entry &entry : entries)
    if (error == 0)
      error = device.getKernels().add(
          device.getStream(), shape.getWeight(entry.place), getPlace(entry),
          entry.size, static_cast<float>(scales[entry.component]));
  return error ? error : shape.derive();
}

Error DeviceParameters::scaleDelta(float factor) {
  return device.getKernels().scale(device.getStream(), memory.get(),
                                   static_cast<int64_t>(size), factor);
}

Error DeviceParameters::download(const TrainingShape &shape) {
  Error error = 0;
  for (const Entry &entry : entries) {
    const size_t p = entry.parameter;
    float *to = model->state(entry.component).parameters[p].data;
    if (error == 0)
      error = device.toHost(to, shape.getWeight(entry.place), entry.size);
  }
  if (error == 0)
    error = downloadDelta();
  for (auto &[key, preconditioner] : preconditioners) {
    PreconditionerState state;
    if (error == 0)
      error = preconditioner.download(state);
    if (error == 0)
      // The delta of the host has the same options.
      (void)delta->state(key.first).preconditioners[key.second]->setState(
          std::move(state));
  }
  return error;
}

Error DeviceParameters::downloadDelta() {
  Error error = 0;
  for (const Entry &entry : entries)
    if (error == 0)
      error = device.toHost(
          delta->state(entry.component).parameters[entry.parameter].data,
          getPlace(entry), entry.size);
  return error ? error : device.wait();
}

Error DeviceParameters::uploadDelta() {
  Error error = 0;
  for (const Entry &entry : entries)
    if (error == 0)
      error = device.toDevice(
          getPlace(entry),
          delta->state(entry.component).parameters[entry.parameter].data,
          entry.size);
  return error ? error : device.wait();
}

Error DeviceParameters::uploadPreconditioners() {
  Error error = 0;
  for (int32_t i = 0; i < delta->numComponents(); ++i) {
    const auto &own = delta->state(i).preconditioners;
    for (size_t k = 0; k < own.size() && error == 0; ++k)
      if (const PreconditionerState state = own[k]->state(); !state.isEmpty())
        error = getPreconditioner(i, static_cast<int32_t>(k)).upload(state);
  }
  return error;
}

Error DeviceParameters::upload(const TrainingShape &shape) {
  Error error = 0;
  for (const Entry &entry : entries)
    if (error == 0)
      error = device.toDevice(
          shape.getWeight(entry.place),
          model->state(entry.component).parameters[entry.parameter].data,
          entry.size);
  if (error == 0)
    error = device.wait();
  return error ? error : shape.derive();
}

//===----------------------------------------------------------------------===//
// The orthonormal constraint (spec: execution.md 3.2)
//===----------------------------------------------------------------------===//

Error DeviceParameters::constrain(const TrainingShape &shape,
                                  const TrainerOptions &options,
                                  uint64_t step) {
  Error error = 0;
  for (const Entry &entry : entries) {
    if (error || entry.parameter != 0 ||
        !isConstrained(options.seed, step, options.randomDraws, *model,
                       entry.component))
      continue;
    const MatrixView &matrix =
        model->state(entry.component).parameters[entry.parameter];
    error = constrain(
        {shape.getWeight(entry.place), matrix.rows, matrix.cols, matrix.cols},
        model->component(entry.component)
            .updateOptions()
            .orthonormalConstraint);
  }
  return error;
}

/// Computes the step of the constraint if the target is not given.
Error DeviceParameters::findStep(Pointer product, int64_t size,
                                 ConstraintStep &step) {
  const Pointer sums[] = {parts.get(), parts.get() + sizeof(float) * kParts};
  const Stream stream = device.getStream();
  Error error = device.getKernels().trace(stream, sums[0], product, size);
  if (error == 0)
    error = device.getKernels().squares(stream, sums[1],
                                        {product, size, size, size});
  if (error == 0)
    error = device.toHost(hostParts.get(), sums[0], 2 * kParts);
  if (error == 0)
    error = device.wait();
  if (error == 0)
    step = findConstraintStep(static_cast<int32_t>(size),
                              addParts(hostParts.get()),
                              addParts(hostParts.get() + kParts));
  return error;
}

/// M := M - 4 speed / scale^2 (P - scale^2 I) M, where P = M M^T; for the
/// transposed matrix if there are fewer columns than rows.
Error DeviceParameters::constrain(const DeviceView &matrix, float target) {
  const bool isWide = matrix.rows <= matrix.columns;
  const int64_t size = std::min(matrix.rows, matrix.columns);
  const int64_t count = matrix.rows * matrix.columns;
  Pointer scratch = 0;
  Error error = device.getScratch(size * size + count, scratch);
  const DeviceView product = {scratch, size, size, size};
  const DeviceView copy = {scratch + sizeof(float) * size * size, matrix.rows,
                           matrix.columns, matrix.columns};
  if (error == 0)
    error = device.multiply(1, matrix, !isWide, matrix, isWide, 0, product);
  ConstraintStep step;
  if (target >= 0)
    step.squaredScale = double(target) * target;
  else if (error == 0)
    error = findStep(product.data, size, step);
  if (error || step.speed == 0)
    return error;
  const UpdateKernels &kernels = device.getKernels();
  const Stream stream = device.getStream();
  const auto scale = static_cast<float>(-4 * step.speed / step.squaredScale);
  error = kernels.addToDiagonal(stream, product.data, size,
                                -static_cast<float>(step.squaredScale));
  if (error == 0)
    error = kernels.scale(stream, copy.data, count, 0);
  if (error == 0)
    error = kernels.add(stream, copy.data, matrix.data, count, 1);
  if (error)
    return error;
  return isWide
             ? device.multiply(scale, product, false, copy, false, 1, matrix)
             : device.multiply(scale, copy, false, product, false, 1, matrix);
}

//===----------------------------------------------------------------------===//
// Natural gradient
//===----------------------------------------------------------------------===//

DeviceNaturalGradient &DeviceParameters::getPreconditioner(int32_t component,
                                                           int32_t number) {
  const auto known = preconditioners.find({component, number});
  if (known != preconditioners.end())
    return known->second;
  const NaturalGradientOptions &options =
      model->component(component).preconditioners()[number];
  DeviceNaturalGradient &made =
      preconditioners
          .emplace(std::piecewise_construct,
                   std::forward_as_tuple(component, number),
                   std::forward_as_tuple(
                       device, options,
                       model->component(component).preconditionsRows()))
          .first->second;
  made.freeze(isFrozen);
  return made;
}

/// Calls \p visit for each row until one call fails. Its argument is the
/// address of the row.
template <typename Visitor>
static Error forEachRow(const DeviceView &rows, Visitor visit) {
  Error error = 0;
  for (int64_t row = 0; row < rows.rows && error == 0; ++row)
    error = visit(rows.data + sizeof(float) * row * rows.stride);
  return error;
}

/// Sums a gradient over processes; each of them then preconditions the sum.
Error DeviceParameters::sumGradient(const DeviceView &gradient) {
  return device.isAlone() ? 0 : forEachRow(gradient, [&](Pointer row) {
    return device.sumFloats(row, gradient.columns);
  });
}

/// Divides a preconditioned gradient by the number of processes, because their
/// updates are summed.
Error DeviceParameters::shareGradient(const DeviceView &gradient) {
  if (device.isAlone())
    return 0;
  const auto share = 1.0f / static_cast<float>(device.getExchange()->size());
  return forEachRow(gradient, [&](Pointer row) {
    return device.getKernels().scale(device.getStream(), row, gradient.columns,
                                     share);
  });
}

Error DeviceParameters::precondition(const Step &step, Pointer rows) {
  for (int32_t i = 0; i < model->numComponents(); ++i) {
    if (model->componentName(i) != step.component)
      continue;
    const ComponentState &state = delta->state(i);
    const Component &component = model->component(i);
    float rate = state.learningRate;
    size_t number = step.number;
    bool skipsRateZero = component.updateOptions().skipsRateZero;
    if (step.part) {
      const PartInfo &part = component.partInfos()[*step.part];
      rate = state.partRates[*step.part];
      number += part.firstPreconditioner;
      skipsRateZero = part.options.skipsRateZero;
    }
    if (state.isGradient || (rate == 0 && skipsRateZero) ||
        number + step.isTwoSided >= component.preconditioners().size())
      return 0;
    const DeviceView x = {rows, step.rows, step.columns, step.stride};
    DeviceNaturalGradient &ofRows =
        getPreconditioner(i, static_cast<int32_t>(number));
    const bool isGradient = !component.preconditionsRows();
    Error error = isGradient ? sumGradient(x) : 0;
    if (error == 0)
      error = ofRows.precondition(x, /*isTransposed=*/false);
    if (error == 0 && step.isTwoSided)
      error = getPreconditioner(i, static_cast<int32_t>(number + 1))
                  .precondition(x, /*isTransposed=*/true);
    if (error == 0)
      error = ofRows.restoreSquares(x);
    return error == 0 && isGradient ? shareGradient(x) : error;
  }
  return 0;
}

Error DeviceParameters::finishPreconditioners() {
  Error error = 0;
  for (auto &[key, preconditioner] : preconditioners)
    if (error == 0)
      error = preconditioner.finish();
  return error;
}

void DeviceParameters::freeze(bool frozen) {
  isFrozen = frozen;
  for (auto &[key, preconditioner] : preconditioners)
    preconditioner.freeze(frozen);
}

} // namespace cuda
} // namespace rt
} // namespace nnet3
