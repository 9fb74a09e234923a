//===- ReferenceComponents.cpp - Reference formulas of components ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ReferenceComponents.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir::nnet3;
using namespace mlir::nnet3::property;
using mlir::Operation;

static void readTensors(Operation *op, const std::string &prefix,
                        Tensors &tensors) {
  for (mlir::NamedAttribute attribute : op->getAttrs())
    if (auto tensor = llvm::dyn_cast<mlir::ElementsAttr>(attribute.getValue()))
      for (float value : tensor.getValues<float>())
        tensors[prefix + attribute.getName().str()].push_back(value);
}

ReferenceComponent::ReferenceComponent(Operation *op) : op(op) {
  readTensors(op, "", tensors);
  if (!llvm::isa<CompositeOp>(op))
    return;
  size_t number = 0;
  for (Operation &part : op->getRegion(0).front())
    readTensors(&part, "component" + std::to_string(++number) + ".", tensors);
}

static Vector notDefined(size_t dim) {
  return Vector(dim, std::numeric_limits<double>::quiet_NaN());
}

std::vector<ReferenceInput>
mlir::nnet3::property::getReferenceInputs(Operation *component, Index index) {
  if (llvm::isa<ConstantOp, DropoutMaskOp>(component))
    return {};
  auto tdnn = llvm::dyn_cast<TdnnOp>(component);
  if (auto inputs = getContextInputs(component, index))
    return *inputs;
  if (!tdnn)
    return {{index}};
  std::vector<ReferenceInput> inputs;
  for (int64_t offset : tdnn.getTimeOffsets())
    inputs.push_back({{index.n, int32_t(index.t + offset), index.x}});
  return inputs;
}

//===----------------------------------------------------------------------===//
// Matmuls
//===----------------------------------------------------------------------===//

/// Returns W x + b; without the bias if `bias` is empty.
static Vector affine(const Vector &weights, const Vector &bias,
                     const Vector &x) {
  size_t rows = weights.size() / x.size();
  Vector y = bias.empty() ? Vector(rows, 0.0) : bias;
  for (size_t r = 0; r < rows; ++r)
    for (size_t c = 0; c < x.size(); ++c)
      y[r] += weights[r * x.size() + c] * x[c];
  return y;
}

static Vector tdnn(const ReferenceComponent &component,
                   llvm::ArrayRef<Vector> inputs) {
  Vector spliced;
  for (const Vector &x : inputs)
    spliced.insert(spliced.end(), x.begin(), x.end());
  bool useBias = llvm::cast<TdnnOp>(component.op).getUseBias();
  return affine(component["linear_params"],
                useBias ? component["bias_params"] : Vector(), spliced);
}

//===----------------------------------------------------------------------===//
// Nonlinearities
//===----------------------------------------------------------------------===//

static double sigmoid(double x) { return 1.0 / (1.0 + std::exp(-x)); }

static Vector logSoftmax(Vector x) {
  double largest = *std::max_element(x.begin(), x.end());
  double sum = 0;
  for (double v : x)
    sum += std::exp(v - largest);
  for (double &v : x)
    v -= largest + std::log(sum);
  return x;
}

static Vector softmax(const Vector &x, Kinks &kinks) {
  Vector y = logSoftmax(x);
  for (double &v : y) {
    kinks.pass(v - std::log(1e-20));
    v = std::max(std::exp(v), 1e-20);
  }
  return y;
}

/// The inputs are i_part, f_part, c_part, o_part, c_prev, and three scales.
static Vector lstm(const ReferenceComponent &component, const Vector &x) {
  auto op = llvm::cast<LstmNonlinearityOp>(component.op);
  size_t C = op.getCellDim();
  const Vector &w = component["params"];
  double iScale = 1, fScale = 1, oScale = 1;
  if (op.getUseDropout()) {
    iScale = x[5 * C];
    fScale = x[5 * C + 1];
    oScale = x[5 * C + 2];
  }
  Vector y(2 * C);
  for (size_t j = 0; j < C; ++j) {
    double cPrev = x[4 * C + j];
    double i = sigmoid(x[j] + w[j] * cPrev);
    double f = sigmoid(x[C + j] + w[C + j] * cPrev);
    double c = f * fScale * cPrev + i * iScale * std::tanh(x[2 * C + j]);
    double o = sigmoid(x[3 * C + j] + w[2 * C + j] * c);
    y[j] = c;
    y[C + j] = o * oScale * std::tanh(c);
  }
  return y;
}

//===----------------------------------------------------------------------===//
// Elementwise components and sums
//===----------------------------------------------------------------------===//

template <typename Fn> static Vector map(Vector x, Fn fn) {
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = fn(x[i], i);
  return x;
}

static Vector scaleAndOffset(const ReferenceComponent &component,
                             const Vector &x, Kinks &kinks) {
  const Vector &scales = component["scales"], &offsets = component["offsets"];
  return map(x, [&](double v, size_t i) {
    double scale = scales[i % scales.size()];
    kinks.pass(std::abs(scale) - 1e-4);
    if (std::abs(scale) < 1e-4)
      scale = scale < 0 ? -1e-4 : 1e-4;
    return v * scale + offsets[i % offsets.size()];
  });
}

static Vector elementwiseProduct(ElementwiseProductOp op, const Vector &x) {
  Vector y(op.getOutputDim(), 1.0);
  for (size_t i = 0; i < x.size(); ++i)
    y[i % y.size()] *= x[i];
  return y;
}

static Vector sumBlock(SumBlockOp op, const Vector &x) {
  Vector y(op.getOutputDim(), 0.0);
  for (size_t i = 0; i < x.size(); ++i)
    y[i % y.size()] += op.getScale().convertToFloat() * x[i];
  return y;
}

static Vector sumGroup(SumGroupOp op, const Vector &x) {
  Vector y;
  size_t column = 0;
  for (int64_t size : op.getSizes()) {
    y.push_back(0);
    for (int64_t i = 0; i < size; ++i)
      y.back() += x[column++];
  }
  return y;
}

//===----------------------------------------------------------------------===//
// Dispatch
//===----------------------------------------------------------------------===//

Vector mlir::nnet3::property::evaluateComponent(
    const ReferenceComponent &component, Index index,
    llvm::ArrayRef<Vector> inputs, Kinks &kinks) {
  const Vector x = inputs.empty() ? Vector() : inputs.front();
  return llvm::TypeSwitch<Operation *, Vector>(component.op)
      .Case<AffineOp, NaturalGradientAffineOp, FixedAffineOp>([&](auto) {
        return affine(component["linear_params"], component["bias_params"], x);
      })
      .Case([&](LinearOp) { return affine(component["params"], {}, x); })
      .Case([&](TdnnOp) { return tdnn(component, inputs); })
      .Case([&](DistributeOp op) { return distribute(op, index, x); })
      .Case([&](StatisticsExtractionOp op) {
        return extractStatistics(op, inputs);
      })
      .Case([&](StatisticsPoolingOp op) {
        return poolStatistics(op, inputs, kinks);
      })
      .Case([&](TimeHeightConvolutionOp) {
        return timeHeightConvolution(component, inputs);
      })
      .Case([&](RestrictedAttentionOp op) { return attention(op, inputs); })
      .Case([&](CompositeOp) { return composite(component, x, kinks); })
      .Case([&](RectifiedLinearOp) {
        return map(x, [&](double v, size_t) {
          kinks.pass(v);
          return std::max(v, 0.0);
        });
      })
      .Case([&](SigmoidOp) {
        return map(x, [](double v, size_t) { return sigmoid(v); });
      })
      .Case([&](TanhOp) {
        return map(x, [](double v, size_t) { return std::tanh(v); });
      })
      .Case([&](SoftmaxOp) { return softmax(x, kinks); })
      .Case([&](LogSoftmaxOp) { return logSoftmax(x); })
      .Case([&](NormalizeOp op) { return normalize(op, x, kinks); })
      .Case([&](BatchNormOp) { return batchNorm(component, x); })
      .Case([&](LstmNonlinearityOp) { return lstm(component, x); })
      .Case<NoOpOp, ClipGradientOp>([&](auto) { return x; })
      .Case([&](BackpropTruncationOp op) {
        double scale = op.getScale().convertToFloat();
        return map(x, [&](double v, size_t) { return scale * v; });
      })
      .Case([&](DropoutOp op) {
        double p = op.getDropoutProportion().convertToFloat();
        if (!op.getTestMode() && p != 0)
          return notDefined(x.size());
        return map(x, [&](double v, size_t) {
          kinks.pass(v);
          return (1 - p) * v;
        });
      })
      .Case([&](GeneralDropoutOp op) {
        bool random = op.getDropoutProportion().isNonZero() ||
                      op.getSpecaugmentMaxProportion().isNonZero();
        return op.getTestMode() || !random ? x : notDefined(x.size());
      })
      .Case([&](SpecAugmentTimeMaskOp op) {
        bool random = op.getZeroedProportion().isNonZero();
        return op.getTestMode() || !random ? x : notDefined(x.size());
      })
      .Case<FixedScaleOp, PerElementScaleOp, NaturalGradientPerElementScaleOp>(
          [&](auto) {
            const Vector &scales = component["scales"];
            return map(x, [&](double v, size_t i) { return v * scales[i]; });
          })
      .Case([&](FixedBiasOp) {
        const Vector &bias = component["bias"];
        return map(x, [&](double v, size_t i) { return v + bias[i]; });
      })
      .Case([&](PerElementOffsetOp) {
        const Vector &offsets = component["offsets"];
        return map(x, [&](double v, size_t i) {
          return v + offsets[i % offsets.size()];
        });
      })
      .Case(
          [&](ScaleAndOffsetOp) { return scaleAndOffset(component, x, kinks); })
      .Case([&](ElementwiseProductOp op) { return elementwiseProduct(op, x); })
      .Case<ConstantOp, ConstantFunctionOp>(
          [&](auto) { return component["output"]; })
      .Case([&](DropoutMaskOp op) {
        double p = op.getDropoutProportion().convertToFloat();
        if (!op.getTestMode() && p != 0)
          return notDefined(op.getOutputDim());
        return Vector(op.getOutputDim(), op.getContinuous() ? 1 : 1 - p);
      })
      .Case([&](GruNonlinearityOp) { return gru(component, x); })
      .Case([&](OutputGruNonlinearityOp) { return outputGru(component, x); })
      .Case([&](BlockAffineOp op) {
        return blockAffine(component, op.getNumBlocks(), op.getOutputDim(), x);
      })
      .Case<RepeatedAffineOp, NaturalGradientRepeatedAffineOp>([&](auto op) {
        return blockAffine(component, op.getNumRepeats(), op.getOutputDim(), x);
      })
      .Case([&](ConvolutionOp) { return convolution(component, x); })
      .Case([&](MaxpoolingOp op) { return maxpooling(op, x, kinks); })
      .Case([&](PnormOp op) { return pnorm(op, x, kinks); })
      .Case([&](SumBlockOp op) { return sumBlock(op, x); })
      .Case([&](SumGroupOp op) { return sumGroup(op, x); })
      .Case([&](PermuteOp op) {
        return map(x,
                   [&](double, size_t i) { return x[op.getColumnMap()[i]]; });
      })
      .Default([&](Operation *) { return notDefined(x.size()); });
}
