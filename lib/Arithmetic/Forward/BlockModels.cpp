//===- BlockModels.cpp - Components that combine columns ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KernelModels.h"
#include "LstmCell.h"

#include "nnet3/Arithmetic/BackwardInterface.h"
#include "nnet3/Arithmetic/KernelInterfaces.h"
#include "nnet3/Arithmetic/RowEmission.h"
#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::nnet3;

namespace {

/// Elementwise product of all blocks (spec: components.md 6.19).
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

/// The derivative of each factor is dy times the product of the others.
struct ProductBackward
    : public BackwardKernelInterface::ExternalModel<ProductBackward,
                                                    ElementwiseProductOp> {
  void emitBackwardRow(Operation *op, RowEmission &row) const {
    auto product = cast<ElementwiseProductOp>(op);
    const int64_t dim = product.getOutputDim();
    const int64_t blocks = product.getInputDim() / dim;
    row.forEach(dim, [&](Value c) {
      for (int64_t block = 0; block < blocks; ++block) {
        Value dx = row.loadDerivative(c);
        for (int64_t other = 0; other < blocks; ++other)
          if (other != block)
            dx = row.multiply(dx, row.load(row.shift(c, other * dim)));
        row.store(dx, row.shift(c, block * dim));
      }
    });
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
  unsigned getNumColumnConstants(Operation *) const { return 3; }

  FailureOr<SmallVector<SmallVector<float>>>
  getColumnConstants(Operation *op) const {
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
    LstmCell cell(ScalarArithmetic(builder, loc), inputs, scales, vectors);
    return {cell.cell, cell.getOutput()};
  }
};

struct LstmBackward
    : public BackwardKernelInterface::ExternalModel<LstmBackward,
                                                    LstmNonlinearityOp> {
  static int64_t getDim(Operation *op) {
    return cast<LstmNonlinearityOp>(op).getCellDim();
  }
  static CellDerivatives differentiate(LstmCell &cell, Operation *op,
                                       RowEmission &row, Value c) {
    auto getRepair = [&](int64_t k) {
      return row.loadRepair(row.shift(c, k * getDim(op)));
    };
    using Repair = function_ref<Value(int64_t)>;
    return cell.differentiate(row.loadDerivative(c),
                              row.loadDerivative(row.shift(c, getDim(op))),
                              row.hasRepairs() ? Repair(getRepair) : Repair());
  }

  /// The peephole weights.
  unsigned getNumBackwardVectors(Operation *) const { return 3; }
  void emitBackwardRow(Operation *op, RowEmission &row) const {
    auto lstm = cast<LstmNonlinearityOp>(op);
    const int64_t dim = getDim(op);
    row.forEach(dim, [&](Value c) {
      LstmCell cell = LstmCell::load(row, lstm, c);
      CellDerivatives d = differentiate(cell, op, row, c);
      const Value blocks[] = {d.i, d.f, d.g, d.o, d.previous};
      for (auto [block, dx] : llvm::enumerate(blocks))
        row.store(dx, row.shift(c, block * dim));
    });
    // The scales of the gates get no derivative (spec: quirk Q12).
    if (lstm.getUseDropout())
      row.forEach(
          3, [&](Value c) { row.store(row.number(0), row.shift(c, 5 * dim)); });
  }

  /// Gradients of the peephole weights of i, f and o.
  SmallVector<StringRef> getSums(Operation *) const {
    return {"params", "params", "params"};
  }
  int64_t getSumColumns(Operation *op) const { return getDim(op); }
  SmallVector<Value> emitSums(Operation *op, RowEmission &row, Value c) const {
    LstmCell cell = LstmCell::load(row, cast<LstmNonlinearityOp>(op), c);
    CellDerivatives d = differentiate(cell, op, row, c);
    Value previous = cell.getPrevious();
    return {row.multiply(previous, d.i), row.multiply(previous, d.f),
            row.multiply(cell.cell, d.o)};
  }
};

} // namespace

void mlir::nnet3::attachBlockModels(MLIRContext &context) {
  ElementwiseProductOp::attachInterface<ProductModel, ProductBackward>(context);
  LstmNonlinearityOp::attachInterface<LstmModel, LstmBackward>(context);
}
