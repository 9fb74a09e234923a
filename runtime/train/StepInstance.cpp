//===- StepInstance.cpp - Minibatches by the interpreter ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/runtime/StepInstance.h"

namespace nnet3 {
namespace rt {

StepInstance::~StepInstance() = default;

namespace {

class InterpretedSteps : public StepInstance {
public:
  explicit InterpretedSteps(std::unique_ptr<Instance> instance)
      : instance(std::move(instance)) {}

  const Program &program() const override { return instance->program(); }
  Status setInput(std::string_view name, ConstMatrixView value) override {
    return instance->setInput(name, value);
  }
  Status run() override { return instance->run(); }
  Result<ConstMatrixView> output(std::string_view name) const override {
    return instance->output(name);
  }
  void setSeed(uint64_t seed) override { instance->setSeed(seed); }
  uint64_t bytes() const override { return instance->program().arenaBytes(); }

private:
  std::unique_ptr<Instance> instance;
};

} // namespace

Result<std::unique_ptr<StepInstance>>
interpretSteps(const std::shared_ptr<const Program> &program,
               const InstanceOptions &options) {
  auto instance = Instance::create(program, options);
  if (!instance.ok())
    return instance.status();
  return std::unique_ptr<StepInstance>(
      std::make_unique<InterpretedSteps>(std::move(*instance)));
}

} // namespace rt
} // namespace nnet3
