//===- MinibatchRunner.cpp - Forward, objective, backward -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MinibatchRunner.h"
#include "core/ProgramData.h"

#include <algorithm>

namespace nnet3 {
namespace rt {

static std::string quoted(std::string_view name) {
  return "'" + std::string(name) + "'";
}

template <typename List, typename Predicate>
static auto find(const List &list, std::string_view name, Predicate wanted)
    -> decltype(list.data()) {
  for (const auto &item : list)
    if (item.name == name && wanted(item))
      return &item;
  return nullptr;
}

template <typename List>
static auto find(const List &list, std::string_view name) {
  return find(list, name, [](const auto &) { return true; });
}

static const IoInfo *findDerivative(const Program &program,
                                    std::string_view output) {
  return find(program.inputs(), output,
              [](const IoInfo &info) { return info.isDerivative; });
}

static bool isValue(const IoInfo &info) { return !info.isDerivative; }

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

static Status checkTrains(const Program &program) {
  const ProgramData &data = program.data();
  auto updates = [&](const ExecCommand &command) {
    return command.opcode == schema::Opcode::Backprop &&
           data.components[command.component]->properties() &
               kUpdatableComponent;
  };
  if (std::none_of(data.commands.begin(), data.commands.end(), updates))
    return invalidArgument("the program computes no derivative of the model");
  return Status();
}

/// Checks that the minibatch has exactly the inputs and supervision of the
/// program.
static Status checkNames(const Program &program, const Minibatch &minibatch) {
  for (const NamedMatrix &input : minibatch.inputs)
    if (!find(program.inputs(), input.name, isValue))
      return invalidArgument("the program has no input " + quoted(input.name));
  for (const NamedSupervision &supervision : minibatch.supervision)
    if (!find(program.outputs(), supervision.name, isValue) ||
        !findDerivative(program, supervision.name))
      return invalidArgument("the program has no output " +
                             quoted(supervision.name) + " with a derivative");
  for (const IoInfo &info : program.inputs()) {
    if (info.isDerivative && !minibatch.supervisor &&
        !find(minibatch.supervision, info.name))
      return invalidArgument("there is no supervision for output " +
                             quoted(info.name));
    if (!info.isDerivative && !find(minibatch.inputs, info.name))
      return invalidArgument("input " + quoted(info.name) +
                             " has not been supplied");
  }
  return Status();
}

Status checkTraining(const Program &program, const Minibatch &minibatch) {
  Status status = checkTrains(program);
  return status.ok() ? checkNames(program, minibatch) : status;
}

Result<int32_t> numSequences(const Program &program) {
  int32_t number = 0;
  for (const IoInfo &info : program.outputs()) {
    if (info.isDerivative)
      continue;
    if (!info.n)
      return invalidArgument("the program does not tell the sequences of "
                             "output " +
                             quoted(info.name));
    const int32_t here = info.n[info.rows - 1] + 1;
    if (number != 0 && here != number)
      return invalidArgument("expects outputs of equally many sequences, but "
                             "got " +
                             std::to_string(number) + " and " +
                             std::to_string(here));
    number = here;
  }
  return number;
}

//===----------------------------------------------------------------------===//
// Instances
//===----------------------------------------------------------------------===//

Result<StepInstance *>
MinibatchRunner::instanceOf(const std::shared_ptr<const Program> &program) {
  const auto known =
      std::find_if(instances.begin(), instances.end(),
                   [&](const std::unique_ptr<StepInstance> &instance) {
                     return &instance->program() == program.get();
                   });
  if (known != instances.end()) {
    std::rotate(known, known + 1, instances.end());
    return instances.back().get();
  }
  if (Status status = checkTrains(*program); !status.ok())
    return status;
  auto instance = factory(program, options);
  if (!instance.ok())
    return instance.status();
  instances.push_back(std::move(*instance));
  dropUnused();
  return instances.back().get();
}

void MinibatchRunner::dropUnused() {
  uint64_t bytes = 0;
  size_t kept = instances.size();
  while (kept > 0) {
    bytes += instances[kept - 1]->bytes();
    if (bytes > maxBytes && kept != instances.size())
      break;
    --kept;
  }
  instances.erase(instances.begin(), instances.begin() + kept);
}

//===----------------------------------------------------------------------===//
// The run
//===----------------------------------------------------------------------===//

Status MinibatchRunner::forward(StepInstance &instance,
                                const Minibatch &minibatch) {
  for (const NamedMatrix &input : minibatch.inputs)
    if (Status status = instance.setInput(input.name, input.value);
        !status.ok())
      return status;
  return instance.run();
}

Result<std::vector<OutputSupervisor::Output>>
MinibatchRunner::getOutputs(StepInstance &instance) {
  const Program &program = instance.program();
  derivatives.resize(std::max(derivatives.size(), program.outputs().size()));
  std::vector<OutputSupervisor::Output> outputs;
  for (const IoInfo &info : program.outputs()) {
    if (info.isDerivative || !findDerivative(program, info.name))
      continue;
    auto value = instance.output(info.name);
    if (!value.ok())
      return value.status();
    std::vector<float> &storage = derivatives[outputs.size()];
    storage.resize(int64_t(info.rows) * info.cols);
    outputs.push_back(
        {info.name, *value,
         MatrixView(storage.data(), info.rows, info.cols, info.cols)});
  }
  return outputs;
}

/// Computes the objectives from one supervision matrix per output.
static Result<std::vector<OutputObjective>>
supervise(const Program &program, const Minibatch &minibatch,
          const std::vector<OutputSupervisor::Output> &outputs) {
  std::vector<OutputObjective> objectives;
  for (const OutputSupervisor::Output &output : outputs) {
    const bool isQuadratic =
        find(program.outputs(), output.name, isValue)->isQuadratic;
    auto objective = computeObjective(
        isQuadratic ? ObjectiveType::Quadratic : ObjectiveType::Linear,
        output.value, find(minibatch.supervision, output.name)->value,
        output.derivative);
    if (!objective.ok())
      return invalidArgument("output " + quoted(output.name) + " " +
                             objective.status().message());
    objectives.push_back({std::string(output.name), *objective});
  }
  return objectives;
}

Result<std::vector<OutputObjective>>
MinibatchRunner::runParts(StepInstance &instance, const Minibatch &minibatch,
                          uint64_t seed) {
  if (Status status = forward(instance, minibatch); !status.ok())
    return status;
  auto outputs = getOutputs(instance);
  if (!outputs.ok())
    return outputs.status();
  auto objectives = minibatch.supervisor
                        ? minibatch.supervisor->supervise(*outputs, seed)
                        : supervise(instance.program(), minibatch, *outputs);
  if (!objectives.ok())
    return objectives;
  for (const OutputSupervisor::Output &output : *outputs)
    if (Status status = instance.setInput(output.name, output.derivative);
        !status.ok())
      return status;
  if (Status status = instance.run(); !status.ok())
    return status;
  return objectives;
}

Result<std::vector<OutputObjective>>
MinibatchRunner::run(const std::shared_ptr<const Program> &program,
                     const Minibatch &minibatch, uint64_t seed) {
  auto instance = instanceOf(program);
  if (!instance.ok())
    return instance.status();
  if (Status status = checkNames(*program, minibatch); !status.ok())
    return status;
  (*instance)->setSeed(seed);
  auto objectives = runParts(**instance, minibatch, seed);
  // After an error the instance may have some inputs already; do not reuse it.
  if (!objectives.ok())
    instances.pop_back();
  return objectives;
}

} // namespace rt
} // namespace nnet3
