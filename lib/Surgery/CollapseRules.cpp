//===- CollapseRules.cpp - Two components as one --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CollapseRules.h"
#include "AffineComponents.h"
#include "NodeInputs.h"
#include "Parameters.h"
#include "nnet3/Dialect/Nnet3/Analysis/TestMode.h"

#include "llvm/Support/Format.h"
#include <cmath>

using namespace mlir;
using namespace mlir::nnet3;

using Result = FailureOr<ComponentOpInterface>;

/// There is no rule for the two.
static ComponentOpInterface noRule() { return nullptr; }

Result CollapseRules::findCombined(StringRef name, int64_t inputDim,
                                   int64_t outputDim) {
  ComponentOpInterface found = findComponent(network, name);
  if (!found || (found.getComponentInputDim() == inputDim &&
                 found.getComponentOutputDim() == outputDim))
    return found;
  return found->emitError("expects the dims ")
         << inputDim << " and " << outputDim << " of a component '" << name
         << "', which two others are merged into";
}

Operation *CollapseRules::copyComponent(ComponentOpInterface component,
                                        StringRef name) {
  setInsertionPointAfterComponents(builder, network);
  Operation *copy = builder.clone(*component);
  SymbolTable::setSymbolName(copy, name);
  return copy;
}

//===----------------------------------------------------------------------===//
// Dropout and batch norm
//===----------------------------------------------------------------------===//

Result CollapseRules::combineDropout(ComponentOpInterface first,
                                     ComponentOpInterface second) {
  if (isInTrainingMode(first))
    return noRule();
  // The others but dropout itself do nothing to their inputs.
  float factor = 1.0f;
  if (auto dropout = dyn_cast<DropoutOp>(*first)) {
    const float proportion = dropout.getDropoutProportion().convertToFloat();
    factor = options.reference ? 1.0f / (1.0f - proportion) : 1.0f - proportion;
  }
  if (factor == 1.0f)
    return second;
  if (!isAffine(second) &&
      !isa<LinearOp, TdnnOp, TimeHeightConvolutionOp>(second))
    return noRule();
  std::string name;
  llvm::raw_string_ostream(name)
      << getComponentName(second) << ".scale" << llvm::format("%.3g", factor);
  Result found = findCombined(name, second.getComponentInputDim(),
                              second.getComponentOutputDim());
  if (failed(found) || *found)
    return found;
  StringRef attribute = getMatrixName(second);
  FailureOr<DoubleMatrix> matrix = getParameters(second, attribute);
  if (failed(matrix))
    return failure();
  for (double &value : matrix->data)
    value *= factor;
  Operation *combined = copyComponent(second, name);
  combined->setAttr(attribute, makeParameters(builder.getContext(), name,
                                              attribute, *matrix));
  return cast<ComponentOpInterface>(combined);
}

namespace {
/// What batch norm does with a column in test mode.
struct ColumnMap {
  double scale = 1, offset = 0;
};
} // namespace

static FailureOr<std::vector<ColumnMap>> getColumnMaps(BatchNormOp component) {
  FailureOr<DoubleMatrix> mean = getParameters(component, "stats_mean");
  FailureOr<DoubleMatrix> variance = getParameters(component, "stats_var");
  if (failed(mean) || failed(variance))
    return failure();
  std::vector<ColumnMap> maps(mean->rows);
  for (auto [map, m, v] : llvm::zip(maps, mean->data, variance->data)) {
    map.scale = component.computeScale(v);
    map.offset = -map.scale * m;
  }
  return maps;
}

/// The attributes of an affine component in place of a linear one.
static SmallVector<NamedAttribute> getAffineAttributes(LinearOp linear) {
  auto attributes = getTrainingAttributes(linear);
  for (StringRef name : {"input_dim", "output_dim"})
    attributes.emplace_back(StringAttr::get(linear.getContext(), name),
                            linear->getAttr(name));
  return attributes;
}

Result CollapseRules::combineBatchNorm(ComponentOpInterface first,
                                       ComponentOpInterface second) {
  if (!isAffine(second) && !isa<LinearOp, TdnnOp>(second))
    return noRule();
  if (isInTrainingMode(first))
    return first->emitError("expects batch normalisation in test mode");
  // A component without statistics has no scale to merge.
  auto norm = cast<BatchNormOp>(first);
  if (!norm.hasStatistics())
    return noRule();
  const std::string name =
      (getComponentName(first) + "." + getComponentName(second)).str();
  Result found = findCombined(name, second.getComponentInputDim(),
                              second.getComponentOutputDim());
  if (failed(found) || *found)
    return found;
  auto maps = getColumnMaps(norm);
  FailureOr<DoubleMatrix> matrix = getParameters(second, getMatrixName(second));
  if (failed(maps) || failed(matrix))
    return failure();
  if (llvm::all_of(*maps, [](const ColumnMap &map) {
        return map.scale == 1 && map.offset == 0;
      }))
    return second;

  DoubleMatrix bias(matrix->rows, 1);
  if (second->hasAttr("bias_params")) {
    FailureOr<DoubleMatrix> old = getParameters(second, "bias_params");
    if (failed(old))
      return failure();
    bias = std::move(*old);
  }
  for (int64_t r = 0; r < matrix->rows; ++r)
    for (int64_t c = 0; c < matrix->cols; ++c) {
      const ColumnMap &map = (*maps)[c % maps->size()];
      bias.data[r] += (*matrix)(r, c) * map.offset;
      (*matrix)(r, c) *= map.scale;
    }

  Operation *combined;
  if (auto linear = dyn_cast<LinearOp>(*second)) {
    setInsertionPointAfterComponents(builder, network);
    combined = createAffine(builder, linear.getLoc(), name,
                            getAffineAttributes(linear));
  } else {
    combined = copyComponent(second, name);
  }
  if (auto tdnn = dyn_cast<TdnnOp>(combined))
    tdnn.setUseBias(true);
  combined->setAttr("linear_params", makeParameters(builder.getContext(), name,
                                                    "linear_params", *matrix));
  combined->setAttr("bias_params", makeVector(builder.getContext(), name,
                                              "bias_params", bias));
  return cast<ComponentOpInterface>(combined);
}

//===----------------------------------------------------------------------===//
// Affine components and fixed scales
//===----------------------------------------------------------------------===//

Result CollapseRules::combineAffine(ComponentOpInterface first,
                                    ComponentOpInterface second,
                                    int64_t copies) {
  const int64_t in = first.getComponentInputDim();
  const int64_t middle = first.getComponentOutputDim();
  const int64_t out = second.getComponentOutputDim();
  if (in > middle)
    return noRule();
  const std::string name =
      (getComponentName(first) + "." + getComponentName(second)).str();
  Result found = findCombined(name, copies * in, out);
  if (failed(found) || *found)
    return found;
  FailureOr<DoubleMatrix> firstMatrix = getParameters(first, "linear_params");
  FailureOr<DoubleMatrix> firstBias = getParameters(first, "bias_params");
  FailureOr<DoubleMatrix> secondMatrix = getParameters(second, "linear_params");
  FailureOr<DoubleMatrix> bias = getParameters(second, "bias_params");
  if (failed(firstMatrix) || failed(firstBias) || failed(secondMatrix) ||
      failed(bias))
    return failure();

  DoubleMatrix matrix(out, copies * in);
  for (int64_t copy = 0; copy < copies; ++copy) {
    DoubleMatrix block = getColumns(*secondMatrix, copy * middle, middle);
    DoubleMatrix product = multiply(block, *firstMatrix);
    DoubleMatrix offset = multiply(block, *firstBias);
    for (int64_t r = 0; r < out; ++r) {
      llvm::copy(product.row(r), matrix.row(r).begin() + copy * in);
      bias->data[r] += offset.data[r];
    }
  }
  setInsertionPointAfterComponents(builder, network);
  auto get = [&](StringRef attribute, Attribute value) {
    return builder.getNamedAttr(attribute, value);
  };
  MLIRContext *context = builder.getContext();
  return createAffine(
      builder, second.getLoc(), name,
      {get("input_dim", builder.getI64IntegerAttr(copies * in)),
       get("output_dim", builder.getI64IntegerAttr(out)),
       get("linear_params",
           makeParameters(context, name, "linear_params", matrix)),
       get("bias_params", makeVector(context, name, "bias_params", *bias))});
}

Result CollapseRules::combineScale(ComponentOpInterface first,
                                   ComponentOpInterface second) {
  const std::string name =
      (getComponentName(first) + "." + getComponentName(second)).str();
  Result found = findCombined(name, first.getComponentInputDim(),
                              first.getComponentOutputDim());
  if (failed(found) || *found)
    return found;
  FailureOr<DoubleMatrix> matrix = getParameters(first, "linear_params");
  FailureOr<DoubleMatrix> bias = getParameters(first, "bias_params");
  FailureOr<DoubleMatrix> scales = getParameters(second, "scales");
  if (failed(matrix) || failed(bias) || failed(scales))
    return failure();
  for (int64_t r = 0; r < matrix->rows; ++r) {
    for (double &value : matrix->row(r))
      value *= scales->data[r];
    bias->data[r] *= scales->data[r];
  }
  Operation *combined = copyComponent(first, name);
  MLIRContext *context = builder.getContext();
  combined->setAttr("linear_params",
                    makeParameters(context, name, "linear_params", *matrix));
  combined->setAttr("bias_params",
                    makeVector(context, name, "bias_params", *bias));
  return cast<ComponentOpInterface>(combined);
}

/// Whether a component is random, and in test mode gives its input or a
/// multiple of it.
static bool isDropout(ComponentOpInterface component) {
  return isa<DropoutOp>(component) ||
         has(component.getComponentProperties(),
             ComponentProperties::Random |
                 ComponentProperties::PropagateInPlace);
}

Result CollapseRules::combine(ComponentOpInterface first,
                              ComponentOpInterface second, int64_t copies) {
  if (options.dropout && isDropout(first))
    return combineDropout(first, second);
  if (options.batchNorm && isBatchNorm(first))
    return combineBatchNorm(first, second);
  if (options.affine && isAffineOrFixed(first) && isAffine(second))
    return combineAffine(first, second, copies);
  if (options.scale && isAffine(first) && isa<FixedScaleOp>(second) &&
      copies == 1)
    return combineScale(first, second);
  return noRule();
}
