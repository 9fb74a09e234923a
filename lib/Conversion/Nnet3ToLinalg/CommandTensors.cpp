//===- CommandTensors.cpp - Commands as functions of tensors --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CommandTensors.h"

#include "nnet3/Dialect/Nnet3/IR/MatrixLayout.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::nnet3;

static SmallVector<RowRef> listRows(RowTableAttr table) {
  return row_table::expand(table.getCode());
}

/// Returns the rows of a table of a single source; -1 for no row.
static SmallVector<int64_t> listNumbers(RowTableAttr table) {
  return llvm::map_to_vector(listRows(table), [](const RowRef &row) {
    return row.isNone() ? int64_t(-1) : row.row;
  });
}

void CommandTensors::assign(Value view, Value tensor, const APFloat &alpha,
                            bool adds) {
  tensor = tensors.multiply(tensor, alpha.convertToFloat());
  if (adds)
    tensor = tensors.add(matrices.read(view), tensor);
  matrices.write(view, tensor);
}

/// Concatenates several sources first.
Value CommandTensors::gather(ValueRange sources, RowTableAttr rows) {
  SmallVector<Value> values;
  SmallVector<int64_t> begins;
  int64_t begin = 0;
  for (Value source : sources) {
    values.push_back(matrices.read(source));
    begins.push_back(begin);
    begin += numRows(source);
  }
  SmallVector<int64_t> places;
  for (const RowRef &row : listRows(rows))
    places.push_back(row.isNone() ? -1 : begins[row.source] + row.row);
  return tensors.select(tensors.concat(values, 0), places, 0);
}

/// Writes to each destination the source rows that the table sends to it.
template <typename OpTy> void CommandTensors::scatter(OpTy op, bool adds) {
  const SmallVector<RowRef> rows = listRows(op.getRows());
  Value source = matrices.read(op.getSource());
  for (auto [i, dest] : llvm::enumerate(op.getDests())) {
    SmallVector<int64_t> from(numRows(dest), -1);
    for (auto [number, row] : llvm::enumerate(rows))
      if (row.source == int32_t(i))
        from[row.row] = number;
    if (llvm::all_of(from, [](int64_t place) { return place < 0; }))
      continue;
    // Destination rows without a source keep their values, which are appended
    // to the source.
    Value all = source;
    if (!adds && llvm::is_contained(from, -1)) {
      all = tensors.concat({source, matrices.read(dest)}, 0);
      for (auto [row, place] : llvm::enumerate(from))
        if (place < 0)
          place = numRows(op.getSource()) + int64_t(row);
    }
    assign(dest, tensors.select(all, from, 0), APFloat(1.0f), adds);
  }
}

void CommandTensors::convert(AddRowRangesOp op) {
  const SmallVector<int64_t> begins = listNumbers(op.getBegin());
  const SmallVector<int64_t> ends = listNumbers(op.getEnd());
  const int64_t rows = numRows(op.getDest()), terms = numRows(op.getSource());
  SmallVector<float> selection(rows * terms, 0);
  for (auto [row, begin, end] : llvm::enumerate(begins, ends))
    for (int64_t at = begin; begin >= 0 && at < end; at += op.getStep())
      selection[int64_t(row) * terms + at] = 1;
  assign(op.getDest(),
         tensors.matmul(tensors.constant(selection, rows),
                        matrices.read(op.getSource())),
         op.getAlpha(), /*adds=*/true);
}

LogicalResult CommandTensors::convert(Operation &op) {
  tensors.setLoc(op.getLoc());
  return llvm::TypeSwitch<Operation *, LogicalResult>(&op)
      .Case([&](PropagateOp op) { return convert(op); })
      .Case([&](FusedAffineOp op) { return convert(op); })
      .Case([&](AddRowRangesOp op) { return convert(op), success(); })
      .Case<AllocMatrixZeroedOp, AllocMatrixUndefinedOp>([&](auto op) {
        return matrices.write(op.getResult(), Value()), success();
      })
      .Case([&](DeallocMatrixOp op) {
        return matrices.free(op.getMatrix()), success();
      })
      .Case([&](MoveMatrixOp op) {
        return matrices.move(op.getSource(), op.getResult()), success();
      })
      .Case([&](SetConstOp op) {
        auto type = RankedTensorType::get(
            {numRows(op.getMatrix()), numCols(op.getMatrix())},
            Float32Type::get(op.getContext()));
        matrices.write(
            op.getMatrix(),
            op.getValue().isZero()
                ? Value()
                : tensors.splat(type, op.getValue().convertToFloat()));
        return success();
      })
      .Case<MatrixCopyOp, MatrixAddOp>([&](auto op) {
        assign(op.getDest(), matrices.read(op.getSource()), op.getAlpha(),
               isa<MatrixAddOp>(op));
        return success();
      })
      .Case<CopyRowsOp, AddRowsOp>([&](auto op) {
        assign(op.getDest(), gather(op.getSource(), op.getRows()),
               op.getAlpha(), isa<AddRowsOp>(op));
        return success();
      })
      .Case<CopyRowsMultiOp, AddRowsMultiOp>([&](auto op) {
        assign(op.getDest(), gather(op.getSources(), op.getRows()),
               op.getAlpha(), isa<AddRowsMultiOp>(op));
        return success();
      })
      .Case([&](CopyToRowsMultiOp op) {
        return scatter(op, /*adds=*/false), success();
      })
      .Case([&](AddToRowsMultiOp op) {
        return scatter(op, /*adds=*/true), success();
      })
      .Case<SubMatrixOp, NoOperationOp, NoOperationMarkerOp,
            NoOperationPermanentOp>([](Operation *) { return success(); })
      .Default([](Operation *op) {
        return op->emitOpError("is not supported on tensors");
      });
}
