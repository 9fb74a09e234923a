//===- DoubleTrainer.cpp - A plain trainer in double precision ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DoubleTrainer.h"

#include <algorithm>
#include <cmath>

namespace nnet3 {
namespace rt {
namespace test {

DoubleAffine::DoubleAffine(int inputDim, int outputDim,
                           const std::vector<float> &parameters)
    : weights(outputDim, inputDim + 1), delta(outputDim, inputDim + 1),
      inputSide(std::min(20, (inputDim + 1) / 2), 4),
      outputSide(std::min(80, (outputDim + 1) / 2), 4) {
  for (int r = 0; r < outputDim; ++r) {
    for (int c = 0; c < inputDim; ++c)
      weights(r, c) = parameters[size_t(r) * inputDim + c];
    weights(r, inputDim) = parameters[size_t(outputDim) * inputDim + r];
  }
}

/// \p x with a last column of ones.
static DoubleMatrix withOnes(const DoubleMatrix &x) {
  DoubleMatrix result(x.rows, x.cols + 1);
  for (int r = 0; r < x.rows; ++r) {
    for (int c = 0; c < x.cols; ++c)
      result(r, c) = x(r, c);
    result(r, x.cols) = 1;
  }
  return result;
}

static void logSoftmax(DoubleMatrix &x) {
  for (int r = 0; r < x.rows; ++r) {
    double sum = 0;
    for (int c = 0; c < x.cols; ++c)
      sum += std::exp(x(r, c));
    for (int c = 0; c < x.cols; ++c)
      x(r, c) -= std::log(sum);
  }
}

std::vector<DoubleMatrix> DoubleTrainer::forward(const DoubleMatrix &x) const {
  std::vector<DoubleMatrix> values = {x};
  for (const DoubleAffine &layer : layers) {
    DoubleMatrix y = withOnes(values.back()) * layer.weights.transposed();
    if (&layer == &layers.back())
      logSoftmax(y);
    else
      for (double &value : y.values)
        value = std::max(value, 0.0);
    values.push_back(std::move(y));
  }
  return values;
}

static double innerProduct(const DoubleMatrix &x, const DoubleMatrix &y) {
  double sum = 0;
  for (size_t i = 0; i < x.values.size(); ++i)
    sum += x.values[i] * y.values[i];
  return sum;
}

double DoubleTrainer::objective(const DoubleMatrix &x,
                                const DoubleMatrix &y) const {
  return innerProduct(forward(x).back(), y);
}

void DoubleTrainer::addGradient(DoubleAffine &layer, DoubleMatrix x,
                                DoubleMatrix dy) {
  x = withOnes(x);
  double scale = layer.learningRate;
  if (layer.usesNaturalGradient) {
    scale *= layer.inputSide.precondition(x);
    scale *= layer.outputSide.precondition(dy);
  }
  layer.delta.add(scale, dy.transposed() * x);
}

double DoubleTrainer::accumulate(const DoubleMatrix &x, const DoubleMatrix &y) {
  const std::vector<DoubleMatrix> values = forward(x);
  const DoubleMatrix &output = values.back();
  // The derivative of the input of the log-softmax.
  DoubleMatrix derivative = y;
  for (int r = 0; r < y.rows; ++r) {
    double sum = 0;
    for (int c = 0; c < y.cols; ++c)
      sum += y(r, c);
    for (int c = 0; c < y.cols; ++c)
      derivative(r, c) -= std::exp(output(r, c)) * sum;
  }
  for (size_t i = layers.size(); i-- > 0;) {
    const DoubleMatrix before = derivative * layers[i].weights;
    addGradient(layers[i], values[i], derivative);
    derivative = values[i];
    for (int r = 0; r < derivative.rows; ++r)
      for (int c = 0; c < derivative.cols; ++c)
        derivative(r, c) = values[i](r, c) > 0 ? before(r, c) : 0;
  }
  return innerProduct(output, y);
}

void DoubleTrainer::addL2(double scale) {
  for (DoubleAffine &layer : layers)
    layer.delta.add(-2 * scale * layer.learningRate * layer.l2Regularize,
                    layer.weights);
}

void DoubleTrainer::update(double maxChangeScale, double scale) {
  std::vector<double> factors;
  double squares = 0;
  for (const DoubleAffine &layer : layers) {
    const double change =
        std::sqrt(layer.delta.sumSquares()) * std::fabs(scale);
    const double limit = layer.maxChange * maxChangeScale;
    factors.push_back(limit != 0 && change > limit ? limit / change : 1);
    squares += std::pow(factors.back() * change, 2);
  }
  const double change = std::sqrt(squares);
  const double limit = maxParamChange * maxChangeScale;
  if (limit != 0 && change > limit)
    scale *= limit / change;
  for (size_t i = 0; i < layers.size(); ++i)
    layers[i].weights.add(scale * factors[i], layers[i].delta);
}

void DoubleTrainer::scaleDelta(double scale) {
  for (DoubleAffine &layer : layers)
    for (double &value : layer.delta.values)
      value *= scale;
}

double DoubleTrainer::trainBackstitch(const DoubleMatrix &x,
                                      const DoubleMatrix &y, int numSequences) {
  const double a = backstitchScale;
  auto freeze = [&](bool frozen) {
    for (DoubleAffine &layer : layers)
      layer.inputSide.frozen = layer.outputSide.frozen = frozen;
  };
  freeze(true);
  const double result = accumulate(x, y);
  update(a, -a);
  scaleDelta(0);
  freeze(false);
  accumulate(x, y);
  addL2(numSequences / (1 + a));
  update(1 + a, 1 + a);
  scaleDelta(0);
  return result;
}

double DoubleTrainer::train(const DoubleMatrix &x, const DoubleMatrix &y,
                            int numSequences) {
  if (backstitchScale > 0)
    return trainBackstitch(x, y, numSequences);
  const double result = accumulate(x, y);
  addL2(numSequences);
  update(1, 1 - momentum);
  scaleDelta(momentum);
  return result;
}

} // namespace test
} // namespace rt
} // namespace nnet3
