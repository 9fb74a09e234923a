//===- CompositePart.cpp - A part of a composite component ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CompositePart.h"
#include "nnet3/runtime/Model.h"

#include <utility>

namespace nnet3 {
namespace rt {

RunContext CompositePart::contextOf(const RunContext &whole,
                                    void *scratch) const {
  RunContext context = whole;
  context.scratch = scratch;
  context.parameters = whole.parameters + firstParameter;
  context.seed += 0x9E3779B97F4A7C15u * (index + 1);
  return context;
}

static void setRate(const CompositePart &part, const ComponentState &whole,
                    ComponentState &state) {
  state.learningRate = whole.partRates[part.index];
  state.isGradient = whole.isGradient;
}

LentState::LentState(const CompositePart &part, ComponentState &whole)
    : part(part), whole(whole) {
  setRate(part, whole, state);
  const Component &component = *part.component;
  for (size_t i = 0; i < component.parameters().size(); ++i)
    state.parameters.push_back(whole.parameters[part.firstParameter + i]);
  for (size_t i = 0; i < component.statistics().size(); ++i)
    state.statistics.push_back(
        std::move(whole.statistics[part.firstStatistic + i]));
  for (size_t i = 0; i < component.preconditioners().size(); ++i)
    state.preconditioners.push_back(
        std::move(whole.preconditioners[part.firstPreconditioner + i]));
}

LentState::~LentState() {
  for (size_t i = 0; i < state.statistics.size(); ++i)
    whole.statistics[part.firstStatistic + i] = std::move(state.statistics[i]);
  for (size_t i = 0; i < state.preconditioners.size(); ++i)
    whole.preconditioners[part.firstPreconditioner + i] =
        std::move(state.preconditioners[i]);
}

ComponentState copyStatistics(const CompositePart &part,
                              const ComponentState &whole) {
  ComponentState state;
  setRate(part, whole, state);
  for (size_t i = 0; i < part.component->statistics().size(); ++i)
    state.statistics.push_back(whole.statistics[part.firstStatistic + i]);
  return state;
}

namespace {
/// Prepends the part's prefix to names.
class PartWriter : public AttributeWriter {
public:
  PartWriter(const std::string &prefix, AttributeWriter &writer)
      : prefix(prefix), writer(writer) {}

  void real(const char *name, double value) override {
    writer.real((prefix + name).c_str(), value);
  }
  void flag(const char *name, bool value) override {
    writer.flag((prefix + name).c_str(), value);
  }
  void vector(const char *name, const double *values, int32_t size) override {
    writer.vector((prefix + name).c_str(), values, size);
  }
  void doubles(const char *name, const double *values, int32_t size) override {
    writer.doubles((prefix + name).c_str(), values, size);
  }
  void parameter(const char *name, ConstMatrixView values,
                 bool isVector) override {
    writer.parameter((prefix + name).c_str(), values, isVector);
  }

private:
  const std::string &prefix;
  AttributeWriter &writer;
};
} // namespace

void exportPart(const CompositePart &part, const ComponentState &whole,
                AttributeWriter &writer) {
  PartWriter partWriter(part.prefix, writer);
  const ComponentState state = copyStatistics(part, whole);
  if (part.has(kUpdatableComponent)) {
    partWriter.real("learning_rate", state.learningRate);
    partWriter.flag("is_gradient", state.isGradient);
  }
  part.component->exportStatistics(state, partWriter);
}

} // namespace rt
} // namespace nnet3
