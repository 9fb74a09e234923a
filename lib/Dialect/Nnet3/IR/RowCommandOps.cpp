//===- RowCommandOps.cpp - Commands that copy and add rows ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Dialect/Nnet3/IR/CommandOps.h"
#include "nnet3/Dialect/Nnet3/IR/MatrixLayout.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace mlir::nnet3;

static LogicalResult verifySameCols(Operation *op, Value a, Value b) {
  if (numCols(a) != numCols(b))
    return op->emitOpError("expects matrices with the same columns, but got ")
           << numCols(a) << " and " << numCols(b);
  return success();
}

/// Verifies that a table has one entry per row of `driven`, each a row of one
/// of `targets`.
static LogicalResult verifyTable(Operation *op, RowTableAttr table,
                                 Value driven, ValueRange targets) {
  if (table.size() != numRows(driven))
    return op->emitOpError("expects a row table with ")
           << numRows(driven) << " entries, but got " << table.size();
  SmallVector<int64_t> largest = table.getMaxRows(targets.size());
  for (auto [source, row] : llvm::enumerate(largest)) {
    if (row < 0)
      continue;
    if (source >= targets.size())
      return op->emitOpError("row table names matrix ")
             << source << ", but there are " << targets.size();
    if (row >= numRows(targets[source]))
      return op->emitOpError("row table names row ")
             << row << " of a matrix with " << numRows(targets[source])
             << " rows";
  }
  return success();
}

template <typename OpTy> static LogicalResult verifyRowsOp(OpTy op) {
  if (failed(verifySameCols(op, op.getSource(), op.getDest())))
    return failure();
  return verifyTable(op, op.getRows(), op.getDest(), op.getSource());
}

LogicalResult CopyRowsOp::verify() { return verifyRowsOp(*this); }
LogicalResult AddRowsOp::verify() { return verifyRowsOp(*this); }

template <typename OpTy> static LogicalResult verifyFromRows(OpTy op) {
  for (Value source : op.getSources())
    if (failed(verifySameCols(op, source, op.getDest())))
      return failure();
  return verifyTable(op, op.getRows(), op.getDest(), op.getSources());
}

LogicalResult CopyRowsMultiOp::verify() { return verifyFromRows(*this); }
LogicalResult AddRowsMultiOp::verify() { return verifyFromRows(*this); }

template <typename OpTy> static LogicalResult verifyToRows(OpTy op) {
  for (Value dest : op.getDests())
    if (failed(verifySameCols(op, op.getSource(), dest)))
      return failure();
  if (failed(verifyTable(op, op.getRows(), op.getSource(), op.getDests())))
    return failure();
  std::vector<std::vector<bool>> written;
  for (int64_t last : op.getRows().getMaxRows(op.getDests().size()))
    written.emplace_back(last + 1);
  row_table::Cursor cursor(op.getRows().getCode());
  while (std::optional<RowRef> row = cursor.next()) {
    if (row->isNone())
      continue;
    if (written[row->source][row->row])
      return op.emitOpError("row ")
             << row->row << " of matrix " << row->source << " is written twice";
    written[row->source][row->row] = true;
  }
  return success();
}

LogicalResult CopyToRowsMultiOp::verify() { return verifyToRows(*this); }
LogicalResult AddToRowsMultiOp::verify() { return verifyToRows(*this); }

LogicalResult AddRowRangesOp::verify() {
  if (failed(verifySameCols(*this, getSource(), getDest())))
    return failure();
  if (getBegin().size() != numRows(getDest()) ||
      getEnd().size() != numRows(getDest()))
    return emitOpError("expects row tables with ")
           << numRows(getDest()) << " entries, but got " << getBegin().size()
           << " and " << getEnd().size();
  row_table::Cursor begins(getBegin().getCode()), ends(getEnd().getCode());
  while (std::optional<RowRef> begin = begins.next()) {
    std::optional<RowRef> end = ends.next();
    if (begin->isNone() && end->isNone())
      continue;
    if (begin->isNone() || end->isNone() || begin->source != 0 ||
        end->source != 0 || begin->row >= end->row ||
        end->row > numRows(getSource()))
      return emitOpError("expects ranges of rows of the source, but got [")
             << begin->row << ", " << end->row << ")";
  }
  return success();
}

#define GET_OP_CLASSES
#include "nnet3/Dialect/Nnet3/IR/RowCommandOps.cpp.inc"
