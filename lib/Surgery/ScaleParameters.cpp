//===- ScaleParameters.cpp - Multiply parameters and statistics -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "NetworkEdits.h"
#include "Parameters.h"
#include "nnet3/Dialect/Nnet3/IR/ComponentParts.h"
#include "nnet3/Surgery/Passes.h"

namespace mlir::nnet3 {
#define GEN_PASS_DEF_NNET3SCALEPARAMETERS
#include "nnet3/Surgery/Passes.h.inc"
} // namespace mlir::nnet3

using namespace mlir;
using namespace mlir::nnet3;

/// Element counts that a component stores as integers.
static constexpr StringRef kIntegerCounts[] = {
    "num_elements_clipped", "num_elements_processed", "num_self_repaired",
    "num_backpropped"};

/// Listed as a statistic, but is none.
static constexpr StringRef kSelfRepairConfig = "self_repair_config";

static LogicalResult scaleTensor(ComponentOpInterface component,
                                 const TensorSpec &tensor, float scale) {
  if (!component->hasAttr(tensor.name) || tensor.name == kSelfRepairConfig)
    return success();
  // These statistics are averages, so only a scale of zero changes them.
  if (!tensor.isParameter && scale != 0)
    return success();
  if (tensor.isParameter &&
      !has(component.getComponentProperties(), ComponentProperties::Updatable))
    return success();
  FailureOr<DoubleMatrix> values = getParameters(component, tensor.name);
  if (failed(values))
    return failure();
  // Multiplying by zero would keep NaNs.
  for (double &value : values->data)
    value = scale == 0 ? 0.0 : float(value) * scale;
  auto make = tensor.shape.size() == 1 ? makeVector : makeParameters;
  component->setAttr(tensor.name,
                     make(component.getContext(), getComponentName(component),
                          tensor.name, *values));
  return success();
}

/// Scales the counts and sums of a component, which are its double precision
/// attributes.
static void scaleCounts(Operation *component, float scale) {
  Builder builder(component->getContext());
  auto multiply = [&](double value) {
    return scale == 0 ? 0.0 : value * scale;
  };
  for (NamedAttribute attribute : component->getAttrs()) {
    StringAttr name = attribute.getName();
    if (auto count = dyn_cast<FloatAttr>(attribute.getValue())) {
      if (count.getType().isF64())
        component->setAttr(
            name, builder.getF64FloatAttr(multiply(count.getValueAsDouble())));
    } else if (auto sums = dyn_cast<DenseF64ArrayAttr>(attribute.getValue())) {
      SmallVector<double> scaled =
          llvm::map_to_vector(sums.asArrayRef(), multiply);
      component->setAttr(name, builder.getDenseF64ArrayAttr(scaled));
    } else if (llvm::is_contained(kIntegerCounts, name.getValue())) {
      auto integer = cast<IntegerAttr>(attribute.getValue());
      component->setAttr(name, builder.getI64IntegerAttr(static_cast<int64_t>(
                                   multiply(integer.getInt()))));
    }
  }
}

static LogicalResult scaleComponent(ComponentOpInterface component,
                                    float scale) {
  LogicalResult result = success();
  forEachPart(component, [&](ComponentOpInterface part, StringRef) {
    for (const TensorSpec &tensor : part.getTensors())
      if (failed(scaleTensor(part, tensor, scale)))
        result = failure();
    scaleCounts(part, scale);
  });
  return result;
}

namespace {
struct ScaleParameters
    : public mlir::nnet3::impl::Nnet3ScaleParametersBase<ScaleParameters> {
  using Base::Base;
  void runOnOperation() override {
    if (scale == 1)
      return;
    for (auto component : getOperation().getOps<ComponentOpInterface>())
      if (failed(scaleComponent(component, static_cast<float>(scale))))
        return signalPassFailure();
  }
};
} // namespace
