//===- TrainingShape.cpp - Minibatches of one shape on a GPU --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TrainingShape.h"

#include <algorithm>

namespace nnet3 {
namespace rt {
namespace cuda {

static constexpr int64_t kParts = UpdateKernels::kParts;
/// Ends a run; TrainingShape::supervisorStatus says why. Not a number of CUDA.
static constexpr Error kSupervisorFailed = -1;

Result<std::unique_ptr<TrainingShape>> TrainingShape::create(
    TrainingDevice &device, std::shared_ptr<const Program> program,
    DeviceTrainingRequest request, std::shared_ptr<const DeviceWeights> weights,
    std::shared_ptr<const DeviceCode> code, DeviceSteps &steps,
    RandomDraws randomDraws) {
  std::unique_ptr<TrainingShape> shape(new TrainingShape(
      device, std::move(program), std::move(request), std::move(weights)));
  Status status = shape->open(std::move(code), steps, randomDraws);
  if (!status.ok())
    return status;
  return std::move(shape);
}

TrainingShape::~TrainingShape() {
  ContextScope scope(device.getApi(), device.getContext());
  instance.reset();
  tables.release();
  sums.release();
  hostSums.release();
  hostOutputs.release();
}

Status TrainingShape::open(std::shared_ptr<const DeviceCode> code,
                           DeviceSteps &steps, RandomDraws randomDraws) {
  auto made = DeviceModel::create(weights, std::move(code));
  if (!made.ok())
    return made.status();
  model = std::move(*made);
  auto started =
      DeviceInstance::create(*model, request.request, device.getStream());
  if (!started.ok())
    return started.status();
  instance = std::move(*started);
  instance->setSteps(&steps);
  instance->setRandomDraws(randomDraws);
  Status status = addObjectives();
  if (!status.ok())
    return status;
  const size_t floats = objectives.size() * kParts;
  Error error = sums.allocate(sizeof(float) * floats);
  if (error == 0)
    error = hostSums.allocate(floats);
  if (error == 0)
    error = uploadTables();
  return error ? makeStatus(device.getApi(), error, "allocating memory")
               : Status();
}

Status TrainingShape::addObjectives() {
  for (const IoInfo &info : program->outputs()) {
    const std::optional<size_t> input = findInput(info.name);
    const auto output = std::find_if(
        request.outputs.begin(), request.outputs.end(),
        [&](const auto &known) { return known.name == info.name; });
    if (info.isDerivative || !input)
      continue;
    if (output == request.outputs.end())
      return invalidProgram("the device has no output '" +
                            std::string(info.name) + "'");
    objectives.push_back({output->name, info.isQuadratic, output->matrix,
                          request.request.inputs[*input], *input});
  }
  return Status();
}

Error TrainingShape::uploadTables() {
  std::vector<int32_t> all;
  for (const DeviceTrainingRequest::Derived &derived : request.derived)
    all.insert(all.end(), derived.table.begin(), derived.table.end());
  return tables.upload(all.data(), sizeof(int32_t) * all.size());
}

Error TrainingShape::derive() const {
  int64_t table = 0;
  Error error = 0;
  for (const DeviceTrainingRequest::Derived &derived : request.derived) {
    const auto size = static_cast<int64_t>(derived.table.size());
    if (error == 0)
      error = device.getKernels().gather(
          device.getStream(), getWeight(derived.place), getWeight(derived.from),
          tables.get(), table, size, derived.least);
    table += size;
  }
  return error;
}

//===----------------------------------------------------------------------===//
// Minibatches
//===----------------------------------------------------------------------===//

std::optional<size_t> TrainingShape::findInput(std::string_view name) const {
  const auto known =
      std::find(request.inputs.begin(), request.inputs.end(), name);
  if (known == request.inputs.end())
    return std::nullopt;
  return known - request.inputs.begin();
}

static Status checkShape(std::string_view name, int32_t rows, int32_t cols,
                         const DeviceMatrix &matrix, const char *what) {
  auto shape = [](int32_t rows, int32_t cols) {
    return std::to_string(rows) + " x " + std::to_string(cols);
  };
  if (rows == matrix.rows && cols == matrix.cols)
    return Status();
  return invalidArgument(what + std::string(" '") + std::string(name) +
                         "' expects " + shape(matrix.rows, matrix.cols) +
                         ", but got " + shape(rows, cols));
}

Status TrainingShape::setInput(std::string_view name, ConstMatrixView value) {
  const std::optional<size_t> input = findInput(name);
  if (!input)
    return Status(); // the backward pass does not need it
  Status status = checkShape(name, value.rows, value.cols,
                             request.request.inputs[*input], "input");
  if (!status.ok())
    return status;
  const MatrixView to = instance->getInput(*input);
  for (int32_t row = 0; row < to.rows; ++row)
    std::copy_n(value.row(row), to.cols, to.row(row));
  return Status();
}

static Status writeOut(const ConstMatrixView &from, MatrixView to) {
  for (int32_t row = 0; row < to.rows; ++row)
    std::copy_n(from.row(row), to.cols, to.row(row));
  return Status();
}

static Status writeOut(const SparseMatrixView &from, MatrixView to) {
  for (int32_t row = 0; row < to.rows; ++row) {
    std::fill_n(to.row(row), to.cols, 0.0f);
    for (int64_t i = from.rowBegin[row]; i < from.rowBegin[row + 1]; ++i) {
      if (from.columns[i] < 0 || from.columns[i] >= to.cols)
        return invalidArgument("expects supervision of columns below " +
                               std::to_string(to.cols) + ", but got " +
                               std::to_string(from.columns[i]));
      to.row(row)[from.columns[i]] += from.values[i];
    }
  }
  return Status();
}

/// Writes the supervision to the memory of the derivative, where
/// computeObjectives() reads it.
Status TrainingShape::supervise(Objective &objective,
                                const SupervisionMatrix &value) {
  const MatrixView to = instance->getInput(objective.input);
  Status status = std::visit(
      [&](const auto &matrix) {
        Status fits =
            checkShape(objective.name, matrix.rows, matrix.cols,
                       objective.derivative, "the supervision of output");
        return fits.ok() ? writeOut(matrix, to) : fits;
      },
      value);
  objective.weight = objective.isQuadratic ? to.rows : 0;
  for (int32_t row = 0; !objective.isQuadratic && row < to.rows; ++row)
    for (int32_t col = 0; col < to.cols; ++col)
      objective.weight += to.row(row)[col];
  return status;
}

Error TrainingShape::allocateOutputs() {
  if (hostOutputs.get())
    return 0;
  size_t bytes = 0;
  for (const Objective &objective : objectives)
    bytes += objective.output.getBytes();
  return hostOutputs.allocate(bytes / sizeof(float));
}

/// Copies the outputs to the host, and what the supervisor computes to the
/// device.
Error TrainingShape::callSupervisor() {
  Error error = allocateOutputs();
  std::vector<OutputSupervisor::Output> outputs;
  float *next = hostOutputs.get();
  for (const Objective &objective : objectives) {
    const auto [place, rows, cols] = objective.output;
    if (error == 0)
      error =
          device.toHost(next, instance->getPlace(place), int64_t(rows) * cols);
    outputs.push_back({objective.name, ConstMatrixView(next, rows, cols, cols),
                       instance->getInput(objective.input)});
    next += int64_t(rows) * cols;
  }
  if (error == 0)
    error = device.wait();
  if (error)
    return error;
  auto result = supervisor->supervise(outputs, seed);
  supervisorStatus = result.ok() ? Status() : result.status();
  if (!result.ok())
    return kSupervisorFailed;
  supervised = std::move(*result);
  for (size_t i = 0; i < objectives.size() && error == 0; ++i) {
    const MatrixView derivative = outputs[i].derivative;
    error = device.toDevice(instance->getPlace(objectives[i].derivative.place),
                            derivative.data,
                            int64_t(derivative.rows) * derivative.cols);
  }
  return error;
}

Error TrainingShape::computeObjectives(Stream stream) {
  if (supervisor)
    return callSupervisor();
  const UpdateKernels &kernels = device.getKernels();
  Error error = 0;
  for (size_t i = 0; i < objectives.size() && error == 0; ++i) {
    const Objective &objective = objectives[i];
    const Pointer output = instance->getPlace(objective.output.place),
                  derivative = instance->getPlace(objective.derivative.place),
                  sum = sums.get() + sizeof(float) * kParts * i;
    const int64_t count =
        int64_t(objective.output.rows) * objective.output.cols;
    if (objective.isQuadratic) {
      error = kernels.add(stream, derivative, output, count, -1);
      if (error == 0)
        error = kernels.dot(stream, sum, derivative, derivative, count);
    } else {
      error = kernels.dot(stream, sum, output, derivative, count);
    }
  }
  return error;
}

/// The objectives that the device has computed.
std::vector<OutputObjective> TrainingShape::getObjectives() const {
  std::vector<OutputObjective> results;
  for (const Objective &objective : objectives) {
    const double sum = addParts(hostSums.get() + kParts * results.size());
    results.push_back(
        {objective.name,
         {objective.isQuadratic ? -0.5 * sum : sum, objective.weight}});
  }
  return results;
}

Status TrainingShape::submit(const Minibatch &minibatch, uint64_t withSeed) {
  supervisor = minibatch.supervisor;
  supervisorStatus = Status();
  seed = withSeed;
  for (const NamedMatrix &input : minibatch.inputs)
    if (Status status = setInput(input.name, input.value); !status.ok())
      return status;
  for (const NamedSupervision &supervision : minibatch.supervision)
    for (Objective &objective : objectives)
      if (objective.name == supervision.name)
        if (Status status = supervise(objective, supervision.value);
            !status.ok())
          return status;
  instance->setSeed(seed);
  if (Status status = instance->submit(); !status.ok())
    return supervisorStatus.ok() ? status : supervisorStatus;
  if (supervisor)
    return Status();
  const Error error =
      device.toHost(hostSums.get(), sums.get(), objectives.size() * kParts);
  return error ? makeStatus(device.getApi(), error, "running") : Status();
}

Result<std::vector<OutputObjective>> TrainingShape::finish() {
  if (const Error error = device.wait())
    return makeStatus(device.getApi(), error, "running");
  return supervisor ? std::move(supervised) : getObjectives();
}

} // namespace cuda
} // namespace rt
} // namespace nnet3
