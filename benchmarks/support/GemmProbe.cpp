//===- GemmProbe.cpp - The matmuls of a computation -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "GemmProbe.h"

#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"

#include "llvm/ADT/DenseMap.h"
#include <cblas.h>

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::benchmarks;

/// Returns the shape (outputs, inputs) of a component's weights; empty if it
/// has none.
static SmallVector<int64_t> getWeights(ComponentOpInterface component) {
  for (const TensorSpec &tensor : component.getTensors())
    if (tensor.isParameter && tensor.shape.size() == 2 &&
        tensor.shape[0] == component.getComponentOutputDim())
      return llvm::to_vector(tensor.shape);
  return {};
}

GemmProbe::GemmProbe(ComputationOp computation, ProbedMatmuls products) {
  SymbolTableCollection symbols;
  DenseMap<Operation *, size_t> known;
  auto add = [&](Kind kind, SymbolRefAttr name, Value outputs) {
    auto component = cast<ComponentOpInterface>(
        symbols.lookupSymbolIn(computation->getParentOp(), name));
    SmallVector<int64_t> weight = getWeights(component);
    if (weight.empty())
      return;
    auto [entry, isNew] = known.try_emplace(component, weights.size());
    if (isNew)
      weights.emplace_back(weight[0] * weight[1], 0.01f);
    int64_t rows = cast<MemRefType>(outputs.getType()).getDimSize(0);
    int64_t inputs = component.getComponentInputDim();
    commands.push_back(
        {kind, rows, weight[0], inputs, weight[1] / inputs, entry->second});
    input.resize(std::max<size_t>(input.size(), rows * inputs), 0.01f);
    outputDeriv.resize(std::max<size_t>(outputDeriv.size(), rows * weight[0]),
                       0.01f);
    result.resize(std::max({input.size(), outputDeriv.size(), result.size(),
                            weights[entry->second].size()}));
  };
  computation.walk([&](Operation *op) {
    if (auto propagate = dyn_cast<PropagateOp>(op))
      add(Kind::Forward, propagate.getComponentAttr(), propagate.getOutput());
    auto backprop = dyn_cast<BackpropOp>(op);
    if (!backprop || products == ProbedMatmuls::Forward)
      return;
    if (backprop.getInputDeriv())
      add(Kind::InputGradient, backprop.getComponentAttr(),
          backprop.getOutputDeriv());
    if (backprop.getUpdate() && products == ProbedMatmuls::WeightGradients)
      add(Kind::WeightGradient, backprop.getComponentAttr(),
          backprop.getOutputDeriv());
  });
}

void GemmProbe::run(const Products &p) {
  const int64_t width = p.inputs * p.parts;
  for (int64_t part = 0; part < p.parts; ++part) {
    const float *weight = weights[p.weights].data() + part * p.inputs;
    switch (p.kind) {
    case Kind::Forward:
      cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, p.rows, p.outputs,
                  p.inputs, 1.0f, input.data(), p.inputs, weight, width,
                  part == 0 ? 0.0f : 1.0f, result.data(), p.outputs);
      break;
    case Kind::InputGradient:
      cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, p.rows, p.inputs,
                  p.outputs, 1.0f, outputDeriv.data(), p.outputs, weight, width,
                  0.0f, result.data(), p.inputs);
      break;
    case Kind::WeightGradient:
      cblas_sgemm(CblasRowMajor, CblasTrans, CblasNoTrans, p.outputs, p.inputs,
                  p.rows, 1.0f, outputDeriv.data(), p.outputs, input.data(),
                  p.inputs, 0.0f, result.data() + part * p.inputs, width);
      break;
    }
  }
}

void GemmProbe::run() {
  for (const Products &products : commands)
    run(products);
}

double GemmProbe::getFlops() const {
  double flops = 0;
  for (const Products &p : commands)
    flops += 2.0 * p.rows * p.outputs * p.inputs * p.parts;
  return flops;
}
