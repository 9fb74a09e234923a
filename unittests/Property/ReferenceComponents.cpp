//===- ReferenceComponents.cpp - Components, one row at a time ------------===//
//
// The forward formulas of components.md 6. Random components and BatchNorm
// are evaluated in test mode; in training mode, which depends on the other rows
// of a matrix, the value is NaN, so that no comparison with it succeeds.
//
//===----------------------------------------------------------------------===//

#include "ReferenceEvaluator.h"

#include "llvm/ADT/TypeSwitch.h"
#include <cmath>
#include <limits>

using namespace nnet3::property;
using mlir::Operation;

static Vector toVector(mlir::ElementsAttr tensor) {
  Vector values;
  for (float value : tensor.getValues<float>())
    values.push_back(value);
  return values;
}

static Vector notDefined(size_t dim) {
  return Vector(dim, std::numeric_limits<double>::quiet_NaN());
}

std::vector<Index> nnet3::property::getReferenceInputs(Operation *component,
                                                       Index index) {
  auto tdnn = llvm::dyn_cast<TdnnOp>(component);
  if (!tdnn)
    return {index};
  std::vector<Index> inputs;
  for (int64_t offset : tdnn.getTimeOffsets())
    inputs.push_back({index.n, int32_t(index.t + offset), index.x});
  return inputs;
}

//===----------------------------------------------------------------------===//
// Matrix products
//===----------------------------------------------------------------------===//

/// W x + b; no bias if `bias` is empty.
static Vector affine(const Vector &weights, const Vector &bias,
                     const Vector &x) {
  size_t rows = weights.size() / x.size();
  Vector y = bias.empty() ? Vector(rows, 0.0) : bias;
  for (size_t r = 0; r < rows; ++r)
    for (size_t c = 0; c < x.size(); ++c)
      y[r] += weights[r * x.size() + c] * x[c];
  return y;
}

template <typename OpTy> static Vector affineOp(OpTy op, const Vector &x) {
  return affine(toVector(*op.getLinearParams()), toVector(*op.getBiasParams()),
                x);
}

static Vector tdnn(TdnnOp op, llvm::ArrayRef<Vector> inputs) {
  Vector spliced;
  for (const Vector &x : inputs)
    spliced.insert(spliced.end(), x.begin(), x.end());
  Vector bias;
  if (op.getUseBias())
    bias = toVector(*op.getBiasParams());
  return affine(toVector(*op.getLinearParams()), bias, spliced);
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

static Vector softmax(const Vector &x) {
  Vector y = logSoftmax(x);
  for (double &v : y)
    v = std::max(std::exp(v), 1e-20);
  return y;
}

static Vector normalize(NormalizeOp op, const Vector &x) {
  size_t block = op.getBlockDim().value_or(op.getInputDim());
  double rms = op.getTargetRms().convertToFloat();
  Vector y;
  for (size_t first = 0; first < x.size(); first += block) {
    double sumsq = 0;
    for (size_t i = first; i < first + block; ++i)
      sumsq += x[i] * x[i];
    double factor = 1.0 / std::sqrt(std::max(std::ldexp(1.0, -66),
                                             sumsq / (block * rms * rms)));
    for (size_t i = first; i < first + block; ++i)
      y.push_back(factor * x[i]);
    if (op.getAddLogStddev())
      y.push_back(std::log(rms) - std::log(factor));
  }
  return y;
}

static Vector batchNorm(BatchNormOp op, const Vector &x) {
  if (!op.getTestMode())
    return notDefined(x.size());
  size_t block = op.getBlockDim().value_or(op.getDim());
  double epsilon = op.getEpsilon().convertToFloat();
  double rms = op.getTargetRms().convertToFloat();
  Vector mean = toVector(*op.getStatsMean()), var = toVector(*op.getStatsVar());
  Vector y;
  for (size_t i = 0; i < x.size(); ++i) {
    double scale = rms / std::sqrt(std::max(0.0, var[i % block]) + epsilon);
    y.push_back(scale * (x[i] - mean[i % block]));
  }
  return y;
}

/// Input blocks i_part, f_part, c_part, o_part, c_prev, and three scales.
static Vector lstm(LstmNonlinearityOp op, const Vector &x) {
  size_t C = op.getCellDim();
  Vector w = toVector(*op.getParams());
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
// Element by element, and sums
//===----------------------------------------------------------------------===//

template <typename Fn> static Vector map(Vector x, Fn fn) {
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = fn(x[i], i);
  return x;
}

static Vector scaleColumns(mlir::ElementsAttr tensor, const Vector &x) {
  Vector scales = toVector(tensor);
  return map(x, [&](double v, size_t i) { return v * scales[i]; });
}

static Vector scaleAndOffset(ScaleAndOffsetOp op, const Vector &x) {
  Vector scales = toVector(*op.getScales()),
         offsets = toVector(*op.getOffsets());
  return map(x, [&](double v, size_t i) {
    double scale = scales[i % scales.size()];
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

Vector nnet3::property::evaluateComponent(Operation *component,
                                          llvm::ArrayRef<Vector> inputs) {
  const Vector &x = inputs.front();
  return llvm::TypeSwitch<Operation *, Vector>(component)
      .Case<AffineOp, NaturalGradientAffineOp, FixedAffineOp>(
          [&](auto op) { return affineOp(op, x); })
      .Case(
          [&](LinearOp op) { return affine(toVector(*op.getParams()), {}, x); })
      .Case([&](TdnnOp op) { return tdnn(op, inputs); })
      .Case([&](RectifiedLinearOp) {
        return map(x, [](double v, size_t) { return std::max(v, 0.0); });
      })
      .Case([&](SigmoidOp) {
        return map(x, [](double v, size_t) { return sigmoid(v); });
      })
      .Case([&](TanhOp) {
        return map(x, [](double v, size_t) { return std::tanh(v); });
      })
      .Case([&](SoftmaxOp) { return softmax(x); })
      .Case([&](LogSoftmaxOp) { return logSoftmax(x); })
      .Case([&](NormalizeOp op) { return normalize(op, x); })
      .Case([&](BatchNormOp op) { return batchNorm(op, x); })
      .Case([&](LstmNonlinearityOp op) { return lstm(op, x); })
      .Case<NoOpOp, ClipGradientOp>([&](auto) { return x; })
      .Case([&](BackpropTruncationOp op) {
        double scale = op.getScale().convertToFloat();
        return map(x, [&](double v, size_t) { return scale * v; });
      })
      .Case([&](DropoutOp op) {
        double p = op.getDropoutProportion().convertToFloat();
        if (!op.getTestMode() && p != 0)
          return notDefined(x.size());
        return map(x, [&](double v, size_t) { return (1 - p) * v; });
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
          [&](auto op) { return scaleColumns(*op.getScales(), x); })
      .Case([&](FixedBiasOp op) {
        Vector bias = toVector(*op.getBias());
        return map(x, [&](double v, size_t i) { return v + bias[i]; });
      })
      .Case([&](PerElementOffsetOp op) {
        Vector offsets = toVector(*op.getOffsets());
        return map(x, [&](double v, size_t i) {
          return v + offsets[i % offsets.size()];
        });
      })
      .Case([&](ScaleAndOffsetOp op) { return scaleAndOffset(op, x); })
      .Case([&](ElementwiseProductOp op) { return elementwiseProduct(op, x); })
      .Case([&](SumBlockOp op) { return sumBlock(op, x); })
      .Case([&](SumGroupOp op) { return sumGroup(op, x); })
      .Case([&](PermuteOp op) {
        return map(x,
                   [&](double, size_t i) { return x[op.getColumnMap()[i]]; });
      })
      .Default([&](Operation *) { return notDefined(x.size()); });
}
