//===- GemmProbe.cpp - The matrix products of a computation ---------------===//

#include "GemmProbe.h"

#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"

#include <cblas.h>

using namespace mlir;
using namespace mlir::nnet3;
using namespace ::nnet3::benchmarks;

/// The shape of a component's weights, output by inputs; empty if it has none.
static SmallVector<int64_t> getWeights(ComponentOpInterface component) {
  for (const TensorSpec &tensor : component.getTensors())
    if (tensor.isParameter && tensor.shape.size() == 2 &&
        tensor.shape[0] == component.getComponentOutputDim())
      return llvm::to_vector(tensor.shape);
  return {};
}

GemmProbe::GemmProbe(ComputationOp computation) {
  SymbolTableCollection symbols;
  int64_t inputSize = 0, outputSize = 0;
  computation.walk([&](PropagateOp op) {
    auto component = cast<ComponentOpInterface>(symbols.lookupSymbolIn(
        computation->getParentOp(), op.getComponentAttr()));
    SmallVector<int64_t> weight = getWeights(component);
    if (weight.empty())
      return;
    int64_t rows = cast<MemRefType>(op.getOutput().getType()).getDimSize(0);
    shapes.push_back({rows, weight[0], weight[1]});
    weights.emplace_back(weight[0] * weight[1], 0.01f);
    inputSize = std::max(inputSize, rows * weight[1]);
    outputSize = std::max(outputSize, rows * weight[0]);
  });
  input.assign(inputSize, 0.01f);
  output.resize(outputSize);
}

void GemmProbe::run() {
  for (auto [shape, weight] : llvm::zip_equal(shapes, weights))
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, shape.m, shape.n,
                shape.k, 1.0f, input.data(), shape.k, weight.data(), shape.k,
                0.0f, output.data(), shape.n);
}

double GemmProbe::getFlops() const {
  double flops = 0;
  for (const Shape &shape : shapes)
    flops += 2.0 * shape.m * shape.n * shape.k;
  return flops;
}
