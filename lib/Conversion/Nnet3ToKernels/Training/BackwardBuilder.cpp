//===- BackwardBuilder.cpp - Building blocks of backward passes -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BackwardBuilder.h"

#include "nnet3/Arithmetic/ColumnSums.h"
#include "nnet3/Dialect/Nnet3/IR/ComponentParts.h"
#include "nnet3/Dialect/Nnet3/IR/MatrixLayout.h"

using namespace mlir;
using namespace mlir::nnet3;

/// Alignment of gradients in floats.
static constexpr int64_t kUnit = 64;

int64_t BackwardBuilder::getGradient(BackpropOp op, StringRef parameter,
                                     int64_t rows, int64_t cols) {
  const int64_t next = context.getArenaSize();
  StringAttr name = StringAttr::get(
      op.getContext(),
      getPartPrefix(context.components.find(op.getComponent())) + parameter);
  const int64_t place =
      gradients.get(op.getComponent().getNestedReferences()[0].getAttr(), name,
                    next, rows, cols);
  if (place == next)
    context.sizeBehind += llvm::alignTo(rows * cols, kUnit);
  return place;
}

void BackwardBuilder::fillZeros() {
  auto zeros = gradients.getZeros();
  if (!zeros)
    return;
  // Filled in rows of kUnit floats: one long row could exceed the limits of a
  // launch.
  const int64_t rows = llvm::divideCeil(zeros->second - zeros->first, kUnit);
  OpBuilder::InsertionGuard guard(context.kernels.getBuilder());
  context.kernels.goToBegin();
  context.kernels.createFill(
      context.kernels.createRows(zeros->first, rows, kUnit, kUnit), 0);
}

void BackwardBuilder::sumGradients(StringAttr component) {
  gradients.forEachOf(component, [&](StringAttr parameter, const Rows &rows) {
    kernel::SumGradientOp::create(
        context.kernels.getBuilder(), context.kernels.getLoc(),
        context.kernels.createRows(rows), component, parameter);
  });
}

RowOperands BackwardBuilder::createMatrices(BackpropOp op) {
  RowOperands operands;
  auto create = [&](Value matrix) {
    return matrix ? context.createMatrix(matrix) : Value();
  };
  operands.input = create(op.getInputValue());
  operands.output = create(op.getOutputValue());
  operands.derivative = create(op.getOutputDeriv());
  operands.stored = create(op.getInputDeriv());
  return operands;
}

SmallVector<Value>
BackwardBuilder::createVectors(ComponentOpInterface component,
                               BackwardKernelInterface backward) {
  auto blocks = dyn_cast<BlockKernelInterface>(component.getOperation());
  const int64_t columns =
      blocks ? blocks.getBlockColumns() : component.getComponentOutputDim();
  return context.createVectors(component, backward.getNumBackwardVectors(),
                               columns);
}

RowOperands BackwardBuilder::createOperands(BackpropOp op,
                                            BackwardKernelInterface backward) {
  ComponentOpInterface component = context.components.find(op.getComponent());
  RowOperands operands = createMatrices(op);
  operands.repairs = stages.createRepairs(component);
  operands.vectors = createVectors(component, backward);
  return operands;
}

void BackwardBuilder::addRowProduct(const Rows &x, const Rows &w, const Rows &y,
                                    bool adds) {
  context.kernels.createMatmul(
      kernel::MatmulFactors::TN, context.kernels.createRows(w),
      context.kernels.createBatch({x.place, x.rows, x.stride}, x.columns),
      context.kernels.createBatch({y.place, x.columns, y.stride}, w.columns),
      adds);
}

void BackwardBuilder::addSums(
    const RowOperands &operands, int64_t width, int64_t blocks,
    ArrayRef<int64_t> dests, bool adds,
    function_ref<SmallVector<Value>(RowEmission &, Value)> terms) {
  const int64_t rows = kernel::getShape(operands.derivative.getType()).first;
  const int64_t size = ColumnSums(rows, width * blocks, dests.size())
                           .foldTo(width)
                           .getScratchSize();
  Value scratch = size ? context.kernels.createScratch(0, size) : Value();
  auto outputs = llvm::map_to_vector(dests, [&](int64_t dest) {
    return context.kernels.createRows(dest, 1, width, width);
  });
  RowEmission::reduceRows(context.kernels.getBuilder(),
                          context.kernels.getLoc(), operands, outputs, scratch,
                          blocks, adds, terms);
}

void BackwardBuilder::addColumns(const Rows &rows, int64_t width, int64_t dest,
                                 bool adds) {
  RowOperands operands;
  operands.derivative = context.kernels.createRows(rows);
  addSums(operands, width, rows.columns / width, dest, adds,
          [](RowEmission &row, Value column) {
            return SmallVector<Value>{row.loadDerivative(column)};
          });
}

void BackwardBuilder::addSums(BackpropOp op, BackwardKernelInterface component,
                              ArrayRef<int64_t> dests, bool adds) {
  addSums(createOperands(op, component), component.getSumColumns(),
          component.getSumBlocks(), dests, adds,
          [&](RowEmission &row, Value column) {
            return component.emitSums(row, column);
          });
}
