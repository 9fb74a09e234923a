//===- ComponentFormat.cpp - Token tables of components -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ComponentFormat.h"

#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"

#include "llvm/ADT/StringMap.h"
#include <cmath>

using namespace mlir;
using namespace mlir::nnet3;

ArrayRef<int64_t> ComponentAttributes::getShape(StringRef name) const {
  auto tensor = llvm::dyn_cast_or_null<ElementsAttr>(list.get(name));
  return tensor ? tensor.getShapedType().getShape() : ArrayRef<int64_t>();
}

void ComponentAttributes::setInt(StringRef name, int64_t value) {
  list.set(name, builder.getI64IntegerAttr(value));
}

int64_t ComponentAttributes::getInt(StringRef name) const {
  auto value = llvm::dyn_cast_or_null<IntegerAttr>(list.get(name));
  return value ? value.getInt() : -1;
}

namespace mlir::nnet3 {

/// Completes a TDNN component. The matrix has one block of columns per offset;
/// an empty bias means no bias.
static std::string completeTdnn(ComponentAttributes &attributes) {
  auto offsets = cast<DenseI64ArrayAttr>(attributes.list.get("time_offsets"));
  int64_t cols = attributes.getShape("linear_params")[1];
  if (offsets.empty() || cols % offsets.size() != 0)
    return ("the " + Twine(cols) +
            " columns of <LinearParams> do not divide "
            "into " +
            Twine(offsets.size()) + " time offsets")
        .str();
  attributes.setInt("input_dim", cols / offsets.size());
  if (!attributes.list.get("bias_params"))
    attributes.list.set("use_bias", attributes.builder.getBoolAttr(false));
  return {};
}

#include "nnet3/Dialect/Nnet3/IR/model-tokens.inc"

std::string
ComponentFormat::completeAttributes(ComponentAttributes &attributes) const {
  for (const ShapeDim &dim : shapeDims) {
    int64_t factor = dim.factor.empty() ? 1 : attributes.getInt(dim.factor);
    attributes.setInt(dim.attribute,
                      attributes.getShape(dim.tensor)[dim.axis] * factor);
  }
  for (const FullDim &dim : fullDims) {
    Attribute part = attributes.list.get(dim.attribute);
    if (part && !attributes.list.get(dim.whole))
      attributes.list.set(dim.whole, part);
    if (part == attributes.list.get(dim.whole))
      attributes.list.erase(dim.attribute);
  }
  return complete ? complete(attributes) : "";
}

const ComponentFormat *lookupComponentFormat(StringRef kaldiType) {
  static const llvm::StringMap<const ComponentFormat *> formats = [] {
    llvm::StringMap<const ComponentFormat *> map;
    for (const ComponentFormat &format : kFormats)
      map[format.kaldiType] = &format;
    return map;
  }();
  return formats.lookup(kaldiType);
}

} // namespace mlir::nnet3
