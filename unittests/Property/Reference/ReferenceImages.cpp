//===- ReferenceImages.cpp - Blocks and images within a row ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ReferenceComponents.h"

using namespace mlir::nnet3;
using namespace mlir::nnet3::property;

Vector mlir::nnet3::property::blockAffine(const ReferenceComponent &component,
                                          size_t numBlocks, size_t outputDim,
                                          const Vector &x) {
  const Vector &w = component["linear_params"], &b = component["bias_params"];
  size_t cols = x.size() / numBlocks, rows = outputDim / numBlocks;
  Vector y(outputDim);
  for (size_t o = 0; o < outputDim; ++o) {
    // There are as many rows as outputs, or those of one block.
    size_t row = o % b.size();
    y[o] = b[row];
    for (size_t i = 0; i < cols; ++i)
      y[o] += w[row * cols + i] * x[o / rows * cols + i];
  }
  return y;
}

Vector mlir::nnet3::property::convolution(const ReferenceComponent &component,
                                          const Vector &x) {
  auto op = llvm::cast<ConvolutionOp>(component.op);
  size_t height = op.getInputYDim(), depth = op.getInputZDim();
  size_t filtY = op.getFiltYDim(), filters = op.getNumFilters();
  size_t filterDim = op.getFiltXDim() * filtY * depth;
  bool zFastest = op.getInputVectorizationOrder() == "zyx";
  Vector y;
  for (size_t px = 0; px + op.getFiltXDim() <= op.getInputXDim();
       px += op.getFiltXStep())
    for (size_t py = 0; py + filtY <= height; py += op.getFiltYStep())
      for (size_t f = 0; f < filters; ++f) {
        y.push_back(component["bias_params"][f]);
        for (size_t k = 0; k < filterDim; ++k) {
          size_t ix = px + k / depth / filtY, iy = py + k / depth % filtY;
          size_t iz = k % depth, column = ix * height * depth;
          column += zFastest ? iy * depth + iz : iz * height + iy;
          y.back() += component["filter_params"][f * filterDim + k] * x[column];
        }
      }
  return y;
}

Vector mlir::nnet3::property::maxpooling(MaxpoolingOp op, const Vector &x,
                                         Kinks &kinks) {
  Vector y;
  for (size_t px = 0; px + op.getPoolXSize() <= op.getInputXDim();
       px += op.getPoolXStep())
    for (size_t py = 0; py + op.getPoolYSize() <= op.getInputYDim();
         py += op.getPoolYStep())
      for (size_t pz = 0; pz + op.getPoolZSize() <= op.getInputZDim();
           pz += op.getPoolZStep()) {
        double most = -1e20;
        for (size_t ix = px; ix < px + op.getPoolXSize(); ++ix)
          for (size_t iy = py; iy < py + op.getPoolYSize(); ++iy)
            for (size_t iz = pz; iz < pz + op.getPoolZSize(); ++iz) {
              double value =
                  x[(ix * op.getInputYDim() + iy) * op.getInputZDim() + iz];
              kinks.pass(value - most);
              most = std::max(most, value);
            }
        y.push_back(most);
      }
  return y;
}

Vector mlir::nnet3::property::pnorm(PnormOp op, const Vector &x, Kinks &kinks) {
  Vector y;
  size_t size = x.size() / op.getOutputDim();
  for (size_t begin = 0; begin < x.size(); begin += size) {
    double sum = 0;
    for (size_t i = begin; i < begin + size; ++i)
      sum += x[i] * x[i];
    y.push_back(std::sqrt(sum));
    // The derivative turns around at 0.
    kinks.pass(size == 1 ? x[begin] : y.back());
  }
  return y;
}
