//===- RowCommands.cpp - Commands that copy, add or fill rows -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CommandConverter.h"

#include "nnet3/Dialect/Nnet3/IR/MatrixLayout.h"
#include "nnet3/Dialect/Nnet3/IR/RowTableAlgebra.h"

using namespace mlir;
using namespace mlir::nnet3;

template <typename OpTy>
static void copy(CommandContext &context, OpTy op, bool adds) {
  context.kernels.createCopy(context.createMatrix(op.getSource()),
                             context.createMatrix(op.getDest()),
                             op.getAlpha().convertToFloat(), adds);
}

static ValueRange getSources(CopyRowsOp op) {
  return op->getOperands().take_front(1);
}
static ValueRange getSources(AddRowsOp op) {
  return op->getOperands().take_front(1);
}
static ValueRange getSources(CopyRowsMultiOp op) { return op.getSources(); }
static ValueRange getSources(AddRowsMultiOp op) { return op.getSources(); }

template <typename OpTy>
static void copyFromRows(CommandContext &context, OpTy op, bool adds) {
  ValueRange sources = getSources(op);
  std::optional<int64_t> stride;
  int64_t place;
  if (auto rows = row_table::getProgression(op.getRows().getCode())) {
    Value source = sources[rows->source];
    stride = rows->step * getRowStride(source);
    place =
        context.arena.getOffset(source) + rows->start * getRowStride(source);
  } else {
    place = context.getTable(op.getRows(), sources, /*none=*/-1);
  }
  Value dest = op.getDest();
  context.kernels.createCopy(
      context.kernels.createRows(place, numRows(dest), numCols(dest), stride),
      context.createMatrix(dest), op.getAlpha().convertToFloat(), adds);
}

template <typename OpTy>
static void copyToRows(CommandContext &context, OpTy op, float alpha,
                       bool adds) {
  Value source = op.getSource();
  const int64_t table =
      context.getTable(op.getRows(), op.getDests(), /*none=*/-1);
  context.kernels.createCopy(context.createMatrix(source),
                             context.kernels.createRows(table, numRows(source),
                                                        numCols(source),
                                                        std::nullopt),
                             alpha, adds);
}

/// Emits a map of rows that adds the sum of each range.
static void addRanges(CommandContext &context, AddRowRangesOp op) {
  KernelBuilder &kernels = context.kernels;
  const int64_t columns = numCols(op.getDest());
  const int64_t stride = getRowStride(op.getSource()), step = op.getStep();
  SmallVector<int64_t> firsts, counts;
  row_table::Cursor first(op.getBegin().getCode()), last(op.getEnd().getCode());
  while (std::optional<RowRef> begin = first.next()) {
    std::optional<RowRef> end = last.next();
    const int64_t rows = begin->isNone() ? 0 : end->row - begin->row;
    firsts.push_back(rows > 0 ? begin->row : 0);
    counts.push_back(rows > 0 ? llvm::divideCeil(rows, step) : 0);
  }
  const int64_t begins = context.addTable([&] {
    const int64_t place = context.arena.getOffset(op.getSource());
    return llvm::map_to_vector(
        firsts, [&](int64_t row) { return place + row * stride; });
  });
  Value ranges =
      kernels.createRowRanges(begins, context.module.tables.add(counts),
                              firsts.size(), columns, step * stride);
  RowOperands operands;
  operands.input = ranges;
  operands.stored = context.createMatrix(op.getDest());
  operands.adds = true;
  const float alpha = op.getAlpha().convertToFloat();
  context.mapRows(operands, /*parts=*/1, [&](RowEmission &row) {
    row.forEach(columns, [&](Value column) {
      auto load = [&] { return SmallVector<Value>{row.load(column)}; };
      Value sum = row.narrow(row.sumRows(1, load).front());
      if (alpha != 1)
        sum = row.multiply(sum, row.number(alpha));
      row.store(sum, column);
    });
  });
}

void mlir::nnet3::populateRowCommands(CommandConverter &converter) {
  CommandContext &context = converter.getContext();
  converter.addAll<AllocMatrixUndefinedOp, AcceptInputOp, ProvideOutputOp,
                   DeallocMatrixOp, MoveMatrixOp, SubMatrixOp, NoOperationOp,
                   NoOperationPermanentOp, NoOperationMarkerOp>([](auto) {});
  converter.add([&](AllocMatrixZeroedOp op) {
    context.kernels.createFill(context.createMatrix(op.getResult()), 0);
  });
  converter.add([&](SetConstOp op) {
    context.kernels.createFill(context.createMatrix(op.getMatrix()),
                               op.getValue().convertToFloat());
  });
  converter.add([&](MatrixCopyOp op) { copy(context, op, /*adds=*/false); });
  converter.add([&](MatrixAddOp op) { copy(context, op, /*adds=*/true); });
  converter.addAll<CopyRowsOp, CopyRowsMultiOp>(
      [&](auto op) { copyFromRows(context, op, /*adds=*/false); });
  converter.addAll<AddRowsOp, AddRowsMultiOp>(
      [&](auto op) { copyFromRows(context, op, /*adds=*/true); });
  converter.add([&](CopyToRowsMultiOp op) {
    copyToRows(context, op, 1, /*adds=*/false);
  });
  converter.add([&](AddToRowsMultiOp op) {
    copyToRows(context, op, op.getAlpha().convertToFloat(), /*adds=*/true);
  });
  converter.add([&](AddRowRangesOp op) { addRanges(context, op); });
}
