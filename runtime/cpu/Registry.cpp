//===- Registry.cpp - The registry of component types ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Registry.h"
#include "core/ComponentState.h"
#include "nnet3/runtime/Model.h"

#include <string>

namespace nnet3 {
namespace rt {

Component::~Component() = default;
AttributeWriter::~AttributeWriter() = default;

std::unique_ptr<CommandPlan> Component::plan(int32_t inRows, int32_t outRows,
                                             AttributeReader *,
                                             ErrorSink &errors) const {
  if (inRows != outRows)
    errors.fail("expects as many input as output rows, but got " +
                std::to_string(inRows) + " and " + std::to_string(outRows));
  return nullptr;
}

void Component::checkTraining(ErrorSink &) const {}

void Component::storeStats(ConstMatrixView, ConstMatrixView, const void *,
                           ComponentState &, const RunContext &) const {}

void Component::exportStatistics(const ComponentState &state,
                                 AttributeWriter &writer) const {
  for (size_t i = 0; i < stats.size(); ++i) {
    const std::vector<double> &values = state.statistics[i];
    if (values.size() == 1)
      writer.real(stats[i].name, values[0]);
    else
      writer.vector(stats[i].name, values.data(),
                    static_cast<int32_t>(values.size()));
  }
}

UpdateOptions readUpdateOptions(AttributeReader &attributes) {
  UpdateOptions options;
  auto real = [&](const char *name, float otherwise) {
    return static_cast<float>(attributes.real(name, otherwise));
  };
  options.learningRate = real("learning_rate", options.learningRate);
  options.learningRateFactor =
      real("learning_rate_factor", options.learningRateFactor);
  options.maxChange = real("max_change", options.maxChange);
  options.l2Regularize = real("l2_regularize", options.l2Regularize);
  options.orthonormalConstraint =
      real("orthonormal_constraint", options.orthonormalConstraint);
  options.isGradient = attributes.flag("is_gradient", options.isGradient);
  return options;
}

template <typename Attributes>
static std::unique_ptr<Component> createFrom(AttributeReader &reader) {
  const Attributes attributes(reader);
  attributes.check();
  return reader.ok() ? create(attributes) : nullptr;
}

const std::vector<ComponentFactory> &componentFactories() {
  static const std::vector<ComponentFactory> factories = {
#define GET_COMPONENT_FACTORIES
#include "core/ComponentAttributes.inc"
#undef GET_COMPONENT_FACTORIES
  };
  return factories;
}

std::unique_ptr<Component> createComponent(std::string_view type,
                                           AttributeReader &attributes) {
  for (const ComponentFactory &factory : componentFactories()) {
    if (type != factory.type)
      continue;
    auto component = factory.create(attributes);
    return attributes.ok() ? std::move(component) : nullptr;
  }
  attributes.fail("is of a type that this runtime does not have");
  return nullptr;
}

} // namespace rt
} // namespace nnet3
