//===- CompositeFactory.cpp - Creation of composites ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Creates composites from the attributes of their parts (spec: components.md
// 6.46).
//
//===----------------------------------------------------------------------===//

#include "CompositeComponent.h"
#include "core/ComponentAttributes.h"

#include <algorithm>

namespace nnet3 {
namespace rt {

/// Returns the property bits of the composite (spec: components.md 6.46).
static uint32_t getProperties(const CompositeParts &parts) {
  const uint32_t first = parts.front().component->properties();
  const uint32_t last = parts.back().component->properties();
  uint32_t bits = kSimpleComponent | kBackpropNeedsInput;
  bits |= last & (kPropagateAdds | kBackpropNeedsOutput | kOutputContiguous);
  bits |= first & (kBackpropAdds | kInputContiguous);
  if (last & kStoresStats)
    bits |= kBackpropNeedsOutput;
  for (const CompositePart &part : parts)
    bits |= part.component->properties() & kUpdatableComponent;
  return bits;
}

/// Reads part \p number; returns false after an error.
static bool readPart(AttributeReader &attributes, int32_t number,
                     CompositeParts &parts) {
  AttributeReader reader = attributes.part(number);
  const std::string_view type = reader.text("type");
  if (type == "CompositeComponent")
    reader.fail("cannot be part of a composite component");
  CompositePart part;
  if (reader.ok())
    part.component = createComponent(type, reader);
  attributes.take(reader);
  if (!attributes.ok())
    return false;
  part.prefix = "component" + std::to_string(number) + ".";
  part.index = parts.size();
  const Component &component = *part.component;
  if (!part.has(kSimpleComponent) || part.has(kRandomComponent))
    attributes.fail("has a part that is not simple, or random");
  else if (!parts.empty() &&
           parts.back().component->outputDim() != component.inputDim())
    attributes.fail("has parts whose dims do not fit");
  parts.push_back(std::move(part));
  return attributes.ok();
}

std::unique_ptr<Component> create(const CompositeAttributes &attributes) {
  const int32_t count = attributes.reader.dim("num_components");
  const double maxRows = attributes.maxRowsProcess();
  const UpdateOptions options = readUpdateOptions(attributes);
  CompositeParts parts;
  for (int32_t number = 1; number <= count; ++number)
    if (!attributes.ok() || !readPart(attributes, number, parts))
      return nullptr;
  const uint32_t properties = getProperties(parts);
  return std::make_unique<CompositeComponent>(
      std::move(parts), properties,
      static_cast<int32_t>(std::min(std::max(maxRows, 0.0), 2147483647.0)),
      options);
}

} // namespace rt
} // namespace nnet3
