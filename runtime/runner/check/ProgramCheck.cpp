//===- ProgramCheck.cpp - A case in the interpreter -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Checks.h"
#include "Comparison.h"
#include "runner/ModelValues.h"

#include <algorithm>

namespace nnet3 {
namespace rt {

namespace {

/// One run of a case; keeps the first error.
class ProgramCheck {
public:
  ProgramCheck(const CasePack &pack, const schema::Case &entry)
      : pack(pack), entry(entry) {}

  std::string run();

private:
  bool ok(const Status &status) {
    if (wrong.empty())
      wrong = status.message();
    return wrong.empty();
  }
  template <typename T> bool ok(const Result<T> &result) {
    return ok(result.status());
  }

  bool load();
  bool createModel(std::unique_ptr<Model> &model);
  bool createInstance();
  bool compute();
  void compareOutputs();

  const CasePack &pack;
  const schema::Case &entry;
  std::string wrong;
  std::shared_ptr<const Program> program;
  /// The models with the statistics and with the gradient; null if not checked.
  /// They outlive the instance.
  std::unique_ptr<Model> model, gradient;
  std::unique_ptr<Instance> instance;
};

bool ProgramCheck::load() {
  auto loaded = loadProgram(pack, entry);
  if (!ok(loaded))
    return false;
  program = std::move(*loaded);
  return true;
}

bool ProgramCheck::createModel(std::unique_ptr<Model> &result) {
  auto created = Model::create(program);
  if (!ok(created))
    return false;
  result = std::move(*created);
  return true;
}

bool ProgramCheck::createInstance() {
  const bool hasGradient = entry.gradient() && entry.gradient()->size();
  if (entry.keeps_statistics() || hasGradient) {
    if (!createModel(model))
      return false;
    if (entry.keeps_statistics())
      model->zeroStatistics();
  }
  if (hasGradient) {
    if (!createModel(gradient))
      return false;
    gradient->setZero();
    gradient->setAsGradient();
  }
  InstanceOptions options;
  options.poison = true;
  options.model = model.get();
  options.gradient = gradient.get();
  options.storeStats = entry.keeps_statistics();
  auto created = Instance::create(program, options);
  if (!ok(created))
    return false;
  instance = std::move(*created);
  return true;
}

/// Runs the forward pass, and the backward pass if there is one.
bool ProgramCheck::compute() {
  if (entry.inputs())
    for (const schema::CaseMatrix *input : *entry.inputs())
      if (!ok(instance->setInput(input->name()->string_view(),
                                 pack.values(*input))))
        return false;
  const auto &inputs = program->inputs();
  const bool isBackward =
      std::any_of(inputs.begin(), inputs.end(),
                  [](const IoInfo &info) { return info.isDerivative; });
  return ok(instance->run()) && (!isBackward || ok(instance->run()));
}

void ProgramCheck::compareOutputs() {
  if (!entry.outputs())
    return;
  for (const schema::Expected *expected : *entry.outputs()) {
    const std::string name = expected->value()->name()->str();
    auto value = instance->output(name);
    if (!ok(value))
      return;
    wrong = compare(valuesOf(*value), *expected, pack);
    if (!wrong.empty()) {
      wrong = name + ": " + wrong;
      return;
    }
  }
}

std::string ProgramCheck::run() {
  if (!load() || !createInstance() || !compute())
    return wrong;
  compareOutputs();
  if (wrong.empty() && gradient)
    wrong = compareModel(*gradient, entry.gradient(), pack);
  if (wrong.empty() && model)
    wrong = compareModel(*model, entry.statistics(), pack);
  return wrong;
}

} // namespace

Result<std::shared_ptr<const Program>> loadProgram(const CasePack &pack,
                                                   const schema::Case &entry) {
  LoadOptions options;
  options.weights = pack.chunkData(entry.weights());
  options.weightsSize = pack.chunkSize(entry.weights());
  return Program::load(pack.chunkData(entry.program()),
                       pack.chunkSize(entry.program()), options);
}

CheckResult checkProgram(const CasePack &pack, const schema::Case &entry) {
  const std::string wrong = ProgramCheck(pack, entry).run();
  return {wrong.empty() ? Outcome::Passed : Outcome::Failed, wrong};
}

} // namespace rt
} // namespace nnet3
