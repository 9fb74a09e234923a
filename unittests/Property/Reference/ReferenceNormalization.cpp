//===- ReferenceNormalization.cpp - Normalize and BatchNorm ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// components.md 6.7 and 6.29.
//
//===----------------------------------------------------------------------===//

#include "ReferenceComponents.h"

using namespace mlir::nnet3;
using namespace mlir::nnet3::property;
using mlir::Operation;

Vector mlir::nnet3::property::normalize(NormalizeOp op, const Vector &x,
                                        Kinks &kinks) {
  size_t block = op.getBlockDim().value_or(op.getInputDim());
  double rms = op.getTargetRms().convertToFloat();
  Vector y;
  for (size_t first = 0; first < x.size(); first += block) {
    double sumsq = 0;
    for (size_t i = first; i < first + block; ++i)
      sumsq += x[i] * x[i];
    // The derivative grows without bounds towards 0.
    kinks.pass(0.01 * std::sqrt(sumsq));
    double factor = 1.0 / std::sqrt(std::max(std::ldexp(1.0, -66),
                                             sumsq / (block * rms * rms)));
    for (size_t i = first; i < first + block; ++i)
      y.push_back(factor * x[i]);
    if (op.getAddLogStddev())
      y.push_back(std::log(rms) - std::log(factor));
  }
  return y;
}

static double batchNormScale(BatchNormOp op, double variance) {
  double epsilon = op.getEpsilon().convertToFloat();
  double rms = op.getTargetRms().convertToFloat();
  return rms / std::sqrt(std::max(0.0, variance) + epsilon);
}

Vector mlir::nnet3::property::batchNorm(const ReferenceComponent &component,
                                        const Vector &x) {
  auto op = llvm::cast<BatchNormOp>(component.op);
  size_t block = op.getBlockDim().value_or(op.getDim());
  const Vector &mean = component["stats_mean"], &var = component["stats_var"];
  Vector y;
  for (size_t i = 0; i < x.size(); ++i)
    y.push_back(batchNormScale(op, var[i % block]) * (x[i] - mean[i % block]));
  return y;
}

bool mlir::nnet3::property::dependsOnBatch(Operation *component) {
  auto op = llvm::dyn_cast<BatchNormOp>(component);
  return op && !op.getTestMode();
}

std::vector<Vector>
mlir::nnet3::property::evaluateBatch(const ReferenceComponent &component,
                                     const std::vector<Vector> &inputs) {
  auto op = llvm::cast<BatchNormOp>(component.op);
  size_t dim = op.getDim(), block = op.getBlockDim().value_or(dim);
  double count = double(inputs.size()) * double(dim / block);
  Vector mean(block, 0.0), var(block, 0.0);
  for (const Vector &x : inputs)
    for (size_t i = 0; i < dim; ++i)
      mean[i % block] += x[i] / count;
  for (const Vector &x : inputs)
    for (size_t i = 0; i < dim; ++i)
      var[i % block] += std::pow(x[i] - mean[i % block], 2) / count;
  std::vector<Vector> outputs = inputs;
  for (Vector &y : outputs)
    for (size_t i = 0; i < dim; ++i)
      y[i] = batchNormScale(op, var[i % block]) * (y[i] - mean[i % block]);
  return outputs;
}
