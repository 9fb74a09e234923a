//===- Executor.cpp - Running a program -----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spec: execution.md 1.2. The commands were verified when the program was
// loaded; all memory is allocated when the instance is created.
//
//===----------------------------------------------------------------------===//

#include "ComponentState.h"
#include "ProgramData.h"
#include "cpu/RowCommands.h"
#include "cpu/math/Compression.h"
#include "nnet3/runtime/Exchange.h"
#include "nnet3/runtime/Model.h"

#include <chrono>
#include <limits>

namespace nnet3 {
namespace rt {

using schema::Opcode;

struct InstanceData {
  std::shared_ptr<const Program> program;
  InstanceOptions options;
  AlignedBytes arena;
  /// Address of each matrix or its compressed copy; null if neither exists.
  std::vector<float *> bases;
  /// Inputs of the next run; null data if the caller gave none.
  std::vector<ConstMatrixView> inputs;
  std::vector<std::string> texts; ///< of the commands, when traced
  /// Parameters of each component, from the model or the program.
  std::vector<std::vector<ConstMatrixView>> parameters;
  uint32_t numRuns = 0;      ///< of the first segment
  uint32_t segmentsDone = 0; ///< since the first segment began
  int64_t round = 0;         ///< iteration of the current loop
  /// By command: the component whose gradient is complete after it, or -1.
  std::vector<int32_t> completed;

  const ProgramData &data() const { return program->data(); }
  float *floats() const { return reinterpret_cast<float *>(arena.data()); }

  MatrixView view(const Window &window) const {
    return MatrixView(bases[window.matrix] + window.offset(round), window.rows,
                      window.cols, window.stride);
  }

  /// Returns a view without data if the window is absent.
  MatrixView optional(const Window &window) const {
    return window.matrix < 0 ? MatrixView() : view(window);
  }
  void *memo(const ExecCommand &command) const {
    return command.memo < 0 ? nullptr : floats() + command.memo;
  }
  ComponentState *state(Model *model, const ExecCommand &command) const {
    return model ? &model->state(command.component) : nullptr;
  }
  const Component &component(const ExecCommand &command) const {
    return *data().components[command.component];
  }

  void bindParameters();
  RunContext contextOf(const ExecCommand &command) const;
  void execute(const ExecCommand &command);
  void beginMatrix(const ExecCommand &command);
  void compressMatrix(const ExecCommand &command);
  void decompressMatrix(const ExecCommand &command);
  void propagate(const ExecCommand &command);
  void storeStats(const ExecCommand &command);
  void backprop(const ExecCommand &command);
  void executeTraced(const ExecCommand &command, uint32_t index);
  void executeOne(uint32_t index);
  void findCompleted();
  void finishExchange();
  void executeLoop(uint32_t index);
};

void InstanceData::beginMatrix(const ExecCommand &command) {
  bases[command.dst.matrix] = floats() + command.storage;
  const MatrixView matrix = view(command.dst);
  if (command.opcode == Opcode::AllocMatrixZeroed)
    setConst(matrix, 0.0f);
  else if (command.opcode == Opcode::AcceptInput)
    copyMatrix(matrix, inputs[command.io], 1.0f);
  else if (options.poison)
    setConst(matrix, std::numeric_limits<float>::quiet_NaN());
}

void InstanceData::compressMatrix(const ExecCommand &command) {
  float *&base = bases[command.src.matrix];
  float *compressed = floats() + command.storage;
  compress(view(command.src), command.elements, command.alpha, compressed);
  base = compressed;
}

void InstanceData::decompressMatrix(const ExecCommand &command) {
  const float *compressed = bases[command.src.matrix];
  bases[command.src.matrix] = nullptr;
  bases[command.dst.matrix] = floats() + command.storage;
  decompress(view(command.dst), command.elements, command.alpha, compressed);
}

void InstanceData::bindParameters() {
  for (size_t i = 0; i < data().components.size(); ++i) {
    std::vector<ConstMatrixView> &views = parameters.emplace_back();
    if (options.model) {
      const ComponentState &state =
          options.model->state(static_cast<int32_t>(i));
      views.assign(state.parameters.begin(), state.parameters.end());
      continue;
    }
    for (const ParameterInfo &info : data().components[i]->parameters())
      views.push_back(info.initial);
  }
}

RunContext InstanceData::contextOf(const ExecCommand &command) const {
  RunContext context;
  context.scratch = floats() + data().matrixFloats;
  context.parameters = parameters[command.component].data();
  context.seed = options.seed;
  context.draws = options.randomDraws;
  context.run = numRuns;
  context.exchange = options.exchange;
  context.commandNumber =
      command.number + static_cast<uint32_t>(round) * command.numberStep;
  context.round = round;
  return context;
}

void InstanceData::propagate(const ExecCommand &command) {
  component(command).propagate(command.plan.get(), optional(command.src),
                               view(command.dst), memo(command),
                               contextOf(command));
}

void InstanceData::storeStats(const ExecCommand &command) {
  if (!options.storeStats)
    return;
  if (ComponentState *stats = state(options.model, command))
    component(command).storeStats(optional(command.inValue), view(command.src),
                                  memo(command), *stats, contextOf(command));
}

/// Statistics of the backward pass are stored with the other statistics, unless
/// the component has parameters: then they are stored with the gradient (spec:
/// execution.md 1.2).
void InstanceData::backprop(const ExecCommand &command) {
  BackpropOperands operands;
  const uint32_t properties = component(command).properties();
  if (properties & kBackpropNeedsInput)
    operands.inValue = optional(command.inValue);
  if (properties & kBackpropNeedsOutput)
    operands.outValue = optional(command.outValue);
  operands.outDeriv = view(command.src);
  operands.inDeriv = optional(command.dst);
  operands.memo = memo(command);
  operands.self = state(options.model, command);
  if (!(properties & kUpdatableComponent))
    operands.update = state(options.model, command);
  else if (command.opcode == Opcode::Backprop)
    operands.update = state(options.gradient, command);
  component(command).backprop(command.plan.get(), operands, contextOf(command));
}

void InstanceData::execute(const ExecCommand &command) {
  const MultiRows multi = {data().windows.data(), bases.data(), command.first,
                           command.second, round};
  const float alpha = command.alpha;
  switch (command.opcode) {
  case Opcode::AllocMatrixZeroed:
  case Opcode::AllocMatrixUndefined:
  case Opcode::AcceptInput:
    return beginMatrix(command);
  case Opcode::DeallocMatrix:
    bases[command.dst.matrix] = nullptr;
    return;
  case Opcode::MoveMatrix:
    return std::swap(bases[command.dst.matrix], bases[command.src.matrix]);
  case Opcode::SetConst:
    return setConst(view(command.dst), alpha);
  case Opcode::Propagate:
    return propagate(command);
  case Opcode::MatrixCopy:
    return copyMatrix(view(command.dst), view(command.src), alpha);
  case Opcode::MatrixAdd:
    return addMatrix(view(command.dst), view(command.src), alpha);
  case Opcode::CopyRows:
    return copyRows(view(command.dst), view(command.src), command.first, alpha);
  case Opcode::AddRows:
    return addRows(view(command.dst), view(command.src), command.first, alpha);
  case Opcode::CopyRowsMulti:
    return copyRowsMulti(view(command.dst), multi, alpha);
  case Opcode::AddRowsMulti:
    return addRowsMulti(view(command.dst), multi, alpha);
  case Opcode::CopyToRowsMulti:
    return copyToRowsMulti(multi, view(command.src));
  case Opcode::AddToRowsMulti:
    return addToRowsMulti(multi, view(command.src), alpha);
  case Opcode::AddRowRanges:
    return addRowRanges(view(command.dst), view(command.src), command.first,
                        command.second, command.step, alpha);
  case Opcode::Backprop:
  case Opcode::BackpropNoModelUpdate:
    return backprop(command);
  case Opcode::StoreStats:
    return storeStats(command);
  case Opcode::CompressMatrix:
    return compressMatrix(command);
  case Opcode::DecompressMatrix:
    return decompressMatrix(command);
  case Opcode::ProvideOutput:
  case Opcode::NoOperationMarker:
  case Opcode::Repeat:
    return;
  }
}

void InstanceData::executeTraced(const ExecCommand &command, uint32_t index) {
  ConstMatrixView written;
  auto tell = [&](bool after, double seconds) {
    TraceEvent event;
    event.after = after;
    event.command = static_cast<int32_t>(index);
    event.text = texts[index];
    event.seconds = seconds;
    if (command.dst.matrix >= 0 && bases[command.dst.matrix]) {
      written = view(command.dst);
      event.written = &written;
      event.numWritten = 1;
    }
    options.trace(event);
  };
  tell(false, 0);
  const auto start = std::chrono::steady_clock::now();
  execute(command);
  const std::chrono::duration<double> elapsed =
      std::chrono::steady_clock::now() - start;
  tell(true, elapsed.count());
}

/// Finds the last command that adds to each gradient. Gradients that a loop
/// adds to last are left to finishExchange().
void InstanceData::findCompleted() {
  completed.assign(data().commands.size(), -1);
  std::vector<int64_t> last(data().components.size(), -1);
  uint32_t loopEnd = 0;
  for (uint32_t index = 0; index < completed.size(); ++index) {
    const ExecCommand &command = data().commands[index];
    if (command.opcode == Opcode::Repeat)
      loopEnd = command.end;
    if (command.opcode == Opcode::Backprop && index >= loopEnd)
      last[command.component] = index;
    else if (command.opcode == Opcode::Backprop)
      last[command.component] = -1;
  }
  for (size_t component = 0; component < last.size(); ++component)
    if (last[component] >= 0)
      completed[last[component]] = static_cast<int32_t>(component);
}

/// Starts the sums of the remaining gradients, and waits for all sums.
void InstanceData::finishExchange() {
  std::vector<bool> isBegun(data().components.size());
  for (int32_t component : completed)
    if (component >= 0)
      isBegun[component] = true;
  for (size_t component = 0; component < isBegun.size(); ++component)
    if (!isBegun[component])
      options.gradient->beginSum(static_cast<int32_t>(component),
                                 *options.exchange);
  options.exchange->wait();
  options.gradient->sumStatistics(*options.exchange);
}

void InstanceData::executeOne(uint32_t index) {
  if (options.trace)
    executeTraced(data().commands[index], index);
  else
    execute(data().commands[index]);
  if (!completed.empty() && completed[index] >= 0)
    options.gradient->beginSum(completed[index], *options.exchange);
}

void InstanceData::executeLoop(uint32_t index) {
  const ExecCommand &loop = data().commands[index];
  for (; round < loop.rounds; ++round)
    for (uint32_t next = index + 1; next < loop.end; ++next)
      executeOne(next);
  round = 0;
}

Instance::Instance(std::unique_ptr<InstanceData> data)
    : impl(std::move(data)) {}
Instance::~Instance() = default;

const Program &Instance::program() const { return *impl->program; }

Result<std::unique_ptr<Instance>>
Instance::create(std::shared_ptr<const Program> program,
                 const InstanceOptions &options) {
  for (const Model *model : {options.model, options.gradient})
    if (model)
      if (Status status = model->checkProgram(*program); !status.ok())
        return status;
  auto data = std::make_unique<InstanceData>();
  const ProgramData &loaded = program->data();
  data->arena = AlignedBytes(loaded.arenaBytes());
  if (!data->arena.data())
    return Status(NNET3RT_OUT_OF_MEMORY,
                  "no memory for matrices of " +
                      std::to_string(loaded.arenaBytes()) + " bytes");
  data->options = options;
  data->bases.resize(loaded.root->matrices() ? loaded.root->matrices()->size()
                                             : 0);
  data->inputs.resize(loaded.inputs.size());
  if (options.trace)
    for (size_t i = 0; i < loaded.commands.size(); ++i)
      data->texts.push_back(commandText(loaded, static_cast<int32_t>(i)));
  data->program = std::move(program);
  data->bindParameters();
  if (options.exchange && options.gradient)
    data->findCompleted();
  return std::unique_ptr<Instance>(new Instance(std::move(data)));
}

/// Position of \p name, or -1.
static int32_t findIo(const std::vector<IoInfo> &list, std::string_view name) {
  for (size_t i = 0; i < list.size(); ++i)
    if (list[i].name == name)
      return static_cast<int32_t>(i);
  return -1;
}

Status Instance::setInput(std::string_view name, ConstMatrixView value) {
  const std::vector<IoInfo> &infos = impl->data().inputs;
  const int32_t i = findIo(infos, name);
  if (i < 0)
    return invalidArgument("the program has no input '" + std::string(name) +
                           "'");
  if (value.rows != infos[i].rows || value.cols != infos[i].cols)
    return invalidArgument(
        "input '" + std::string(name) + "' expects a matrix of " +
        std::to_string(infos[i].rows) + "x" + std::to_string(infos[i].cols) +
        ", but got " + std::to_string(value.rows) + "x" +
        std::to_string(value.cols));
  if (!value.data || value.stride < value.cols)
    return invalidArgument("input '" + std::string(name) +
                           "' expects data and a stride of at least its " +
                           std::to_string(value.cols) + " columns, but got " +
                           std::to_string(value.stride));
  impl->inputs[i] = value;
  return Status();
}

Status Instance::run() {
  const ProgramData &data = impl->data();
  if (impl->segmentsDone == data.segments.size())
    impl->segmentsDone = 0;
  const Segment &segment = data.segments[impl->segmentsDone];
  for (int32_t i : segment.inputs)
    if (!impl->inputs[i].data)
      return Status(NNET3RT_NOT_READY, "input '" +
                                           std::string(data.inputs[i].name) +
                                           "' has not been supplied");
  if (impl->segmentsDone == 0)
    std::fill(impl->bases.begin(), impl->bases.end(), nullptr);
  for (uint32_t index = segment.begin; index < segment.end; ++index) {
    impl->executeOne(index);
    if (data.commands[index].opcode != Opcode::Repeat)
      continue;
    impl->executeLoop(index);
    index = data.commands[index].end - 1;
  }
  for (int32_t i : segment.inputs)
    impl->inputs[i] = ConstMatrixView();
  if (++impl->segmentsDone < data.segments.size())
    return Status();
  ++impl->numRuns;
  if (!impl->completed.empty())
    impl->finishExchange();
  return Status();
}

void Instance::restart() {
  const size_t numSegments = impl->data().segments.size();
  if (impl->segmentsDone != 0 && impl->segmentsDone != numSegments)
    ++impl->numRuns;
  impl->segmentsDone = 0;
}

void Instance::setSeed(uint64_t seed) {
  impl->options.seed = seed;
  impl->numRuns = 0;
}

Result<ConstMatrixView> Instance::output(std::string_view name) const {
  const ProgramData &data = impl->data();
  const int32_t i = findIo(data.outputs, name);
  if (i < 0)
    return invalidArgument("the program has no output '" + std::string(name) +
                           "'");
  if (data.outputSegment[i] >= impl->segmentsDone)
    return Status(NNET3RT_NOT_READY, "output '" + std::string(name) +
                                         "' is there after a run only");
  const IoInfo &info = data.outputs[i];
  return ConstMatrixView(impl->floats() + data.outputStorage[i], info.rows,
                         info.cols, info.cols);
}

} // namespace rt
} // namespace nnet3
