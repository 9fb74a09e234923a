//===- BlockModels.cpp - Components that combine columns ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KernelModels.h"

#include "nnet3/Arithmetic/KernelInterfaces.h"
#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::nnet3;

namespace {

/// The product of all blocks (spec: components.md 6.19).
struct ProductModel
    : public BlockKernelInterface::ExternalModel<ProductModel,
                                                 ElementwiseProductOp> {
  int64_t getBlockColumns(Operation *op) const {
    return cast<ElementwiseProductOp>(op).getOutputDim();
  }
  unsigned getNumInputBlocks(Operation *op) const {
    auto product = cast<ElementwiseProductOp>(op);
    return product.getInputDim() / product.getOutputDim();
  }
  SmallVector<Value> emitBlocks(Operation *, OpBuilder &builder, Location loc,
                                ValueRange inputs, ValueRange,
                                ValueRange) const {
    Value product = inputs[0];
    for (Value input : inputs.drop_front())
      product = arith::MulFOp::create(builder, loc, product, input);
    return {product};
  }
};

/// The gates of an LSTM (spec: components.md 6.15).
struct LstmModel
    : public BlockKernelInterface::ExternalModel<LstmModel,
                                                 LstmNonlinearityOp> {
  int64_t getBlockColumns(Operation *op) const {
    return cast<LstmNonlinearityOp>(op).getCellDim();
  }
  unsigned getNumInputBlocks(Operation *) const { return 5; }
  unsigned getNumOutputBlocks(Operation *) const { return 2; }
  unsigned getNumScalars(Operation *op) const {
    return cast<LstmNonlinearityOp>(op).getUseDropout() ? 3 : 0;
  }
  unsigned getNumKernelVectors(Operation *) const { return 3; }

  FailureOr<SmallVector<SmallVector<float>>>
  getKernelVectors(Operation *op) const {
    const int64_t dim = getBlockColumns(op);
    auto params = getTensorVector(op, "params", 3 * dim);
    if (failed(params))
      return failure();
    SmallVector<SmallVector<float>> rows;
    for (int64_t i = 0; i < 3; ++i)
      rows.emplace_back(params->begin() + i * dim,
                        params->begin() + (i + 1) * dim);
    return rows;
  }

  SmallVector<Value> emitBlocks(Operation *, OpBuilder &builder, Location loc,
                                ValueRange inputs, ValueRange scales,
                                ValueRange vectors) const {
    auto product = [&](Value a, Value b) -> Value {
      return arith::MulFOp::create(builder, loc, a, b);
    };
    auto tanh = [&](Value x) -> Value {
      return math::TanhOp::create(builder, loc, x);
    };
    // sigmoid(x + w c), scaled if the row says so.
    auto gate = [&](Value x, unsigned number, Value cell) -> Value {
      Value y = createSigmoid(
          builder, loc,
          math::FmaOp::create(builder, loc, vectors[number], cell, x));
      return scales.empty() ? y : product(y, scales[number]);
    };
    Value previous = inputs[4];
    Value i = gate(inputs[0], 0, previous);
    Value f = gate(inputs[1], 1, previous);
    Value cell = math::FmaOp::create(builder, loc, f, previous,
                                     product(i, tanh(inputs[2])));
    Value o = gate(inputs[3], 2, cell);
    return {cell, product(o, tanh(cell))};
  }
};

} // namespace

void mlir::nnet3::attachBlockModels(MLIRContext &context) {
  ElementwiseProductOp::attachInterface<ProductModel>(context);
  LstmNonlinearityOp::attachInterface<LstmModel>(context);
}
