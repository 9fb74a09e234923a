//===- CommandConverter.cpp - Commands as kernel operations ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CommandConverter.h"

#include "nnet3/Arithmetic/RowEmission.h"
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

LogicalResult CommandConverter::convert() {
  current = computation;
  // Devices have scratch memory there.
  if (reserved && !module.device)
    kernels.createFill(kernels.createRows(0, 1, reserved, reserved), 0);
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
        return kernels.createFill(createMatrix(op.getMatrix()),
                                  op.getValue().convertToFloat()),
               success();
      })
      .Case([&](MatrixCopyOp op) {
        return kernels.createCopy(createMatrix(op.getSource()),
                                  createMatrix(op.getDest()),
                                  op.getAlpha().convertToFloat()),
               success();
      })
      .Case([&](MatrixAddOp op) {
        return kernels.createCopy(
                   createMatrix(op.getSource()), createMatrix(op.getDest()),
                   op.getAlpha().convertToFloat(), /*adds=*/true),
               success();
      })
      .Case<CopyRowsOp, CopyRowsMultiOp>(
          [&](auto op) { return fromRows(op, /*adds=*/false), success(); })
      .Case<AddRowsOp, AddRowsMultiOp>(
          [&](auto op) { return fromRows(op, /*adds=*/true), success(); })
      .Case([&](CopyToRowsMultiOp op) {
        return toRows(op, 1, /*adds=*/false), success();
      })
      .Case([&](AddToRowsMultiOp op) {
        return toRows(op, op.getAlpha().convertToFloat(), /*adds=*/true),
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

static ValueRange getSources(CopyRowsOp op) {
  return op->getOperands().take_front(1);
}
static ValueRange getSources(AddRowsOp op) {
  return op->getOperands().take_front(1);
}
static ValueRange getSources(CopyRowsMultiOp op) { return op.getSources(); }
static ValueRange getSources(AddRowsMultiOp op) { return op.getSources(); }

template <typename OpTy> void CommandConverter::fromRows(OpTy op, bool adds) {
  ValueRange sources = getSources(op);
  std::optional<int64_t> stride;
  int64_t place;
  if (auto rows = row_table::getProgression(op.getRows().getCode())) {
    Value source = sources[rows->source];
    stride = rows->step * getRowStride(source);
    place = arena.getOffset(source) + rows->start * getRowStride(source);
  } else {
    place = getTable(op.getRows(), sources, /*none=*/-1);
  }
  Value dest = op.getDest();
  kernels.createCopy(
      kernels.createRows(place, numRows(dest), numCols(dest), stride),
      createMatrix(dest), op.getAlpha().convertToFloat(), adds);
}

template <typename OpTy>
void CommandConverter::toRows(OpTy op, float alpha, bool adds) {
  Value source = op.getSource();
  const int64_t table = getTable(op.getRows(), op.getDests(), /*none=*/-1);
  kernels.createCopy(
      createMatrix(source),
      kernels.createRows(table, numRows(source), numCols(source), std::nullopt),
      alpha, adds);
}

void CommandConverter::convertRanges(AddRowRangesOp op) {
  const int64_t columns = numCols(op.getDest());
  const int64_t place = arena.getOffset(op.getSource());
  const int64_t stride = getRowStride(op.getSource()), step = op.getStep();
  SmallVector<int64_t> begins, counts;
  row_table::Cursor first(op.getBegin().getCode()), last(op.getEnd().getCode());
  while (std::optional<RowRef> begin = first.next()) {
    std::optional<RowRef> end = last.next();
    const int64_t rows = begin->isNone() ? 0 : end->row - begin->row;
    begins.push_back(rows > 0 ? place + begin->row * stride : place);
    counts.push_back(rows > 0 ? llvm::divideCeil(rows, step) : 0);
  }
  Value ranges = kernels.createRowRanges(module.tables.add(begins),
                                         module.tables.add(counts),
                                         begins.size(), columns, step * stride);
  RowOperands operands;
  operands.input = ranges;
  operands.stored = createMatrix(op.getDest());
  operands.adds = true;
  const float alpha = op.getAlpha().convertToFloat();
  RowEmission::mapRows(kernels.getBuilder(), kernels.getLoc(), operands,
                       /*parts=*/1, [&](RowEmission &row) {
                         row.forEach(columns, [&](Value column) {
                           auto load = [&] {
                             return SmallVector<Value>{row.load(column)};
                           };
                           Value sum = row.narrow(row.sumRows(1, load).front());
                           if (alpha != 1)
                             sum = row.multiply(sum, row.number(alpha));
                           row.store(sum, column);
                         });
                       });
}
