//===- ApplySvd.cpp - Split affine components in two ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "AffineComponents.h"
#include "NetworkEdits.h"
#include "Parameters.h"
#include "nnet3/Dialect/Nnet3/Analysis/Descriptor.h"
#include "nnet3/Surgery/Passes.h"

#include <cmath>

namespace mlir::nnet3 {
#define GEN_PASS_DEF_NNET3APPLYSVD
#include "nnet3/Surgery/Passes.h.inc"
} // namespace mlir::nnet3

using namespace mlir;
using namespace mlir::nnet3;

namespace {
struct ApplySvd : public mlir::nnet3::impl::Nnet3ApplySvdBase<ApplySvd> {
  using Base::Base;
  void runOnOperation() override;

private:
  LogicalResult verifyOptions();
  LogicalResult split(ComponentOpInterface component);
  int64_t chooseDim(ArrayRef<double> singularValues) const;
  LogicalResult createParts(ComponentOpInterface component,
                            const SingularValues &values, int64_t dim);
  LogicalResult splitNodes(ComponentOpInterface component, int64_t dim);
  InFlightDiagnostic emitFailure() {
    return emitError(getOperation().getLoc());
  }
};
} // namespace

/// Returns the number of singular values to keep.
int64_t ApplySvd::chooseDim(ArrayRef<double> singularValues) const {
  if (energyThreshold <= 0)
    return bottleneckDim;
  double all = 0, kept = 0;
  for (double s : singularValues)
    all += s * s;
  int64_t dim = 0;
  while (dim < int64_t(singularValues.size()) && kept < energyThreshold * all)
    kept += std::pow(singularValues[dim++], 2);
  return std::max<int64_t>(dim, 1);
}

/// Creates the components `_a` and `_b`.
LogicalResult ApplySvd::createParts(ComponentOpInterface component,
                                    const SingularValues &values, int64_t dim) {
  StringRef name = getComponentName(component);
  const std::string names[] = {(name + "_a").str(), (name + "_b").str()};
  for (const std::string &part : names)
    if (findComponent(getOperation(), part))
      return emitFailure() << "there is a component '" << part << "' already";
  DoubleMatrix narrow = takeRows(values.vt, dim);
  DoubleMatrix wide = takeColumns(values.u, dim);
  for (int64_t i = 0; i < dim; ++i) {
    const double root = std::sqrt(values.s[i]);
    for (double &value : narrow.row(i))
      value *= root;
    for (int64_t r = 0; r < wide.rows; ++r)
      wide(r, i) *= root;
  }

  OpBuilder builder(&getContext());
  setInsertionPointAfterComponents(builder, getOperation());
  auto get = [&](StringRef attribute, Attribute value) {
    return builder.getNamedAttr(attribute, value);
  };
  auto getInt = [&](StringRef attribute, int64_t value) {
    return get(attribute, builder.getI64IntegerAttr(value));
  };
  // Kaldi's natural-gradient ranks for components without a config.
  auto training = getTrainingAttributes(component);
  SmallVector<NamedAttribute> first = training, second = training;
  first.append({getInt("input_dim", narrow.cols), getInt("output_dim", dim),
                getInt("rank_in", 40), getInt("rank_out", 80),
                get("params", makeParameters(&getContext(), names[0], "params",
                                             narrow))});
  createComponent<LinearOp>(builder, component.getLoc(), names[0], first);
  second.append({getInt("input_dim", dim), getInt("output_dim", wide.rows),
                 getInt("rank_in", 20), getInt("rank_out", 80),
                 get("bias_params", component->getAttr("bias_params")),
                 get("linear_params", makeParameters(&getContext(), names[1],
                                                     "linear_params", wide))});
  createNaturalGradientAffine(builder, component.getLoc(), names[1], second);
  return success();
}

/// Replaces each node that applies the component by two nodes.
LogicalResult ApplySvd::splitNodes(ComponentOpInterface component,
                                   int64_t dim) {
  NetworkOp network = getOperation();
  StringRef name = getComponentName(component);
  for (auto node : llvm::to_vector(network.getOps<ComponentNodeOp>())) {
    if (node.getComponent() != name)
      continue;
    const std::string first = (node.getName() + "_a").str();
    const std::string second = (node.getName() + "_b").str();
    for (const std::string &part : {first, second})
      if (findNode(network, part))
        return emitFailure() << "there is a node '" << part << "' already";
    OpBuilder builder(node);
    auto refer = [&](StringRef suffix) {
      return FlatSymbolRefAttr::get(&getContext(), (name + suffix).str());
    };
    auto narrow = ComponentNodeOp::create(
        builder, node.getLoc(), RowsType::get(&getContext(), dim),
        builder.getStringAttr(first), refer("_a"), node.getInput());
    auto wide = ComponentNodeOp::create(
        builder, node.getLoc(), node.getResult().getType(),
        builder.getStringAttr(second), refer("_b"), narrow.getResult());
    node.getResult().replaceAllUsesWith(wide.getResult());
    node.erase();
  }
  return success();
}

LogicalResult ApplySvd::split(ComponentOpInterface component) {
  StringRef name = getComponentName(component);
  if (!isAffine(component)) {
    emitWarning(getOperation().getLoc())
        << "component '" << name << "' is not affine and stays as it is";
    return success();
  }
  const int64_t in = component.getComponentInputDim();
  const int64_t out = component.getComponentOutputDim();
  if (std::min(in, out) <= bottleneckDim) {
    emitWarning(getOperation().getLoc())
        << "component '" << name << "' has a dim of " << std::min(in, out)
        << " and stays as it is";
    return success();
  }
  FailureOr<DoubleMatrix> matrix = getParameters(component, "linear_params");
  if (failed(matrix) || failed(getParameters(component, "bias_params")))
    return failure();
  FailureOr<SingularValues> values = decompose(*matrix);
  if (failed(values))
    return emitFailure() << "the matrix of component '" << name
                         << "' has no singular value decomposition";
  const int64_t dim = chooseDim(values->s);
  const double ratio = double(dim) * (in + out) / (double(in) * out);
  if (ratio > shrinkageThreshold) {
    emitRemark(getOperation().getLoc())
        << "component '" << name << "' stays as it is: " << dim
        << " singular values have " << formatReal(ratio)
        << " of its parameters";
    return success();
  }
  if (failed(createParts(component, *values, dim)))
    return failure();
  return splitNodes(component, dim);
}

LogicalResult ApplySvd::verifyOptions() {
  if (pattern.empty())
    return emitFailure() << "expects the name of a component";
  if (bottleneckDim <= 0 && energyThreshold <= 0)
    return emitFailure()
           << "expects bottleneck-dim or energy-threshold to be positive";
  return success();
}

void ApplySvd::runOnOperation() {
  if (failed(verifyOptions()))
    return signalPassFailure();
  for (auto component : findComponents(getOperation(), pattern))
    if (failed(split(component)))
      return signalPassFailure();
  removeOrphanNodes(getOperation(), /*removesInputs=*/false);
  removeOrphanComponents(getOperation());
}
