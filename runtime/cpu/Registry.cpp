//===- Registry.cpp - The component types that there are ------------------===//

#include "Registry.h"

#include <string>

namespace nnet3 {
namespace runtime {

Component::~Component() = default;

std::unique_ptr<PropagatePlan> Component::plan(int32_t inRows, int32_t outRows,
                                               AttributeReader *,
                                               ErrorSink &errors) const {
  if (inRows != outRows)
    errors.fail("expects as many input as output rows, but got " +
                std::to_string(inRows) + " and " + std::to_string(outRows));
  return nullptr;
}

std::unique_ptr<Component> createComponent(std::string_view type,
                                           AttributeReader &attributes) {
  const FactoryTable tables[] = {
      affineFactories(),     batchNormFactories(),
      dropoutFactories(),    generalDropoutFactories(),
      identityFactories(),   lstmFactories(),
      nonlinearFactories(),  normalizeFactories(),
      perElementFactories(), rearrangeFactories(),
      softmaxFactories(),    specAugmentFactories(),
      tdnnFactories()};
  for (const FactoryTable &table : tables) {
    for (size_t i = 0; i < table.size; ++i) {
      if (type != table.begin[i].type)
        continue;
      auto component = table.begin[i].create(attributes);
      return attributes.ok() ? std::move(component) : nullptr;
    }
  }
  attributes.fail("is of a type that this runtime does not have");
  return nullptr;
}

} // namespace runtime
} // namespace nnet3
