//===- CommandConverter.cpp - Commands as kernel operations ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CommandConverter.h"

#include "nnet3/Dialect/Nnet3/IR/MatrixLayout.h"
#include "nnet3/Dialect/Nnet3/IR/RowTableAlgebra.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::nnet3;

/// Floats that affine maps read where a row is missing.
static int64_t getNumZeros(ComputationOp computation) {
  int64_t zeros = 0;
  for (auto op : computation.getBody().getOps<FusedAffineOp>())
    for (auto [input, rows] : llvm::zip_equal(op.getInputs(), op.getRows()))
      if (cast<RowTableAttr>(rows).hasNone())
        zeros = std::max(zeros, numCols(input));
  return llvm::alignTo(zeros, 16);
}

CommandConverter::CommandConverter(ComputationOp computation,
                                   KernelModule &module)
    : CommandConverter(computation, module, getNumZeros(computation)) {}

CommandConverter::CommandConverter(ComputationOp computation,
                                   KernelModule &module, int64_t reserved,
                                   const Padding &padding)
    : module(module), components(computation),
      arena(computation, reserved, padding), kernels(computation),
      computation(computation), reserved(reserved) {}

void CommandConverter::begin() {
  if (!reserved)
    return;
  RowKernel kernel;
  kernel.operation = RowOperation::Fill;
  kernel.rows = 1;
  kernel.columns = reserved;
  kernel.destStride = reserved;
  kernel.alpha = 0;
  add(kernel, {0});
}

LogicalResult CommandConverter::convert() {
  current = computation;
  begin();
  for (Operation &op : computation.getBody().front()) {
    current = &op;
    kernels.setLoc(op.getLoc());
    if (failed(convert(&op)))
      return failure();
  }
  finish();
  return success();
}

ElementwiseKernelInterface
CommandConverter::getElementwise(SymbolRefAttr name) {
  return cast<ElementwiseKernelInterface>(components.find(name).getOperation());
}

/// Where the table is that says where each row of `rows` is.
int64_t CommandConverter::getTable(RowTableAttr rows, ValueRange sources,
                                   int64_t none) {
  SmallVector<int64_t> bases, strides;
  for (Value source : sources) {
    bases.push_back(arena.getOffset(source));
    strides.push_back(getRowStride(source));
  }
  SmallVector<int64_t> places;
  row_table::Cursor cursor(rows.getCode());
  while (std::optional<RowRef> row = cursor.next())
    places.push_back(row->isNone() ? none
                                   : bases[row->source] +
                                         row->row * strides[row->source]);
  return module.tables.add(places);
}

LogicalResult CommandConverter::convert(Operation *op) {
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](FusedAffineOp op) { return convertAffine(op), success(); })
      .Case([&](PropagateOp op) { return convert(op); })
      .Case([&](AllocMatrixZeroedOp op) { return fillZeros(op), success(); })
      .Case([&](SetConstOp op) {
        return fill(op.getMatrix(), op.getValue().convertToFloat()), success();
      })
      .Case([&](MatrixCopyOp op) {
        return rowByRow(RowOperation::Copy, op.getSource(), op.getDest(),
                        op.getAlpha().convertToFloat()),
               success();
      })
      .Case([&](MatrixAddOp op) {
        return rowByRow(RowOperation::Add, op.getSource(), op.getDest(),
                        op.getAlpha().convertToFloat()),
               success();
      })
      .Case<CopyRowsOp, CopyRowsMultiOp>(
          [&](auto op) { return fromRows(op, RowOperation::Copy), success(); })
      .Case<AddRowsOp, AddRowsMultiOp>(
          [&](auto op) { return fromRows(op, RowOperation::Add), success(); })
      .Case([&](CopyToRowsMultiOp op) {
        return toRows(op, RowOperation::Copy, 1), success();
      })
      .Case([&](AddToRowsMultiOp op) {
        return toRows(op, RowOperation::Add, op.getAlpha().convertToFloat()),
               success();
      })
      .Case([&](AddRowRangesOp op) { return convertRanges(op), success(); })
      .Case<AllocMatrixUndefinedOp, AcceptInputOp, ProvideOutputOp,
            DeallocMatrixOp, MoveMatrixOp, SubMatrixOp, NoOperationOp,
            NoOperationPermanentOp>([](auto) { return success(); })
      .Case(
          [&](NoOperationMarkerOp op) { return convertMarker(op), success(); })
      .Default([&](Operation *op) { return convertUnknown(op); });
}

LogicalResult CommandConverter::convertUnknown(Operation *op) {
  return op->emitOpError("has no place in a library");
}

void CommandConverter::fill(Value matrix, float value) {
  RowKernel kernel;
  kernel.operation = RowOperation::Fill;
  kernel.rows = numRows(matrix);
  kernel.columns = numCols(matrix);
  kernel.destStride = getRowStride(matrix);
  kernel.alpha = value;
  add(kernel, {arena.getOffset(matrix)});
}

void CommandConverter::rowByRow(RowOperation operation, Value source,
                                Value dest, float alpha) {
  RowKernel kernel;
  kernel.operation = operation;
  kernel.rows = numRows(dest);
  kernel.columns = numCols(dest);
  kernel.sourceStride = getRowStride(source);
  kernel.destStride = getRowStride(dest);
  kernel.alpha = alpha;
  add(kernel, {arena.getOffset(dest), arena.getOffset(source)});
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
void CommandConverter::fromRows(OpTy op, RowOperation operation) {
  RowKernel kernel;
  kernel.operation = operation;
  kernel.rows = numRows(op.getDest());
  kernel.columns = numCols(op.getDest());
  kernel.destStride = getRowStride(op.getDest());
  kernel.alpha = op.getAlpha().convertToFloat();
  ValueRange sources = getSources(op);
  int64_t place;
  auto progression = row_table::getProgression(op.getRows().getCode());
  if (progression) {
    Value source = sources[progression->source];
    kernel.sourceStride = progression->step * getRowStride(source);
    place = arena.getOffset(source) + progression->start * getRowStride(source);
  } else {
    place = getTable(op.getRows(), sources, /*none=*/-1);
  }
  add(kernel, {arena.getOffset(op.getDest()), place});
}

template <typename OpTy>
void CommandConverter::toRows(OpTy op, RowOperation operation, float alpha) {
  RowKernel kernel;
  kernel.operation = operation;
  kernel.rows = numRows(op.getSource());
  kernel.columns = numCols(op.getSource());
  kernel.sourceStride = getRowStride(op.getSource());
  kernel.alpha = alpha;
  add(kernel, {getTable(op.getRows(), op.getDests(), /*none=*/-1),
               arena.getOffset(op.getSource())});
}

void CommandConverter::convertRanges(AddRowRangesOp op) {
  flush();
  kernels.createAddRowRanges(
      getTable(op.getBegin(), op.getSource(), /*none=*/-1),
      getTable(op.getEnd(), op.getSource(), /*none=*/-1),
      op.getStep() * getRowStride(op.getSource()), op.getAlpha(),
      createMatrix(op.getDest()));
}
