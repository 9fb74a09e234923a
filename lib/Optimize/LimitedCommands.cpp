//===- LimitedCommands.cpp - Limit commands to a range of times -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spec: optimize.md 4.1, step 3.
//
//===----------------------------------------------------------------------===//

#include "LimitedCommands.h"
#include "nnet3/Dialect/Nnet3/IR/RowTableAlgebra.h"
#include "nnet3/Optimize/Views.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::row_table;
using P = ComponentProperties;

void CommandLimiter::limit(Operation *op) {
  TypeSwitch<Operation *>(op)
      .Case([&](StoreStatsOp stats) { limitStats(stats); })
      .Case([&](BackpropOp backprop) { limitBackprop(backprop); })
      .Case([&](MatrixCopyOp copy) { limitMatrices<CopyRowsOp>(copy); })
      .Case([&](MatrixAddOp add) { limitMatrices<AddRowsOp>(add); })
      .Case<CopyRowsOp, AddRowsOp, CopyRowsMultiOp, AddRowsMultiOp>(
          [&](auto rows) {
            limitTable(op, rows.getDestMutable(), rows.getRowsAttr(),
                       [&](RowTableAttr table) { rows.setRowsAttr(table); });
          })
      .Case<CopyToRowsMultiOp, AddToRowsMultiOp>([&](auto rows) {
        limitTable(op, rows.getSourceMutable(), rows.getRowsAttr(),
                   [&](RowTableAttr table) { rows.setRowsAttr(table); });
      })
      .Case([&](AddRowRangesOp ranges) { limitRanges(ranges); });
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

const MatrixRows &CommandLimiter::getRows(Value value) const {
  return matrices.find(MatrixWindow::get(value).matrix)->second;
}

/// Returns the mask of the rows in range; for values, all rows.
RowMask CommandLimiter::getMask(Value value) const {
  const MatrixRows &rows = getRows(value);
  if (!rows.isDeriv)
    return RowMask();
  return rows.times.mask.from(MatrixWindow::get(value).row);
}

/// Returns the rows from the first one in range to the last.
CommandLimiter::Part CommandLimiter::getPart(Value value) const {
  MatrixWindow window = MatrixWindow::get(value);
  const MatrixRows &rows = getRows(value);
  if (!rows.isDeriv)
    return {0, window.rows};
  int64_t begin = std::max(rows.times.begin - window.row, int64_t(0));
  int64_t end = std::min(rows.times.end - window.row, window.rows);
  return {begin, std::max(end - begin, int64_t(0))};
}

void CommandLimiter::remove(Operation *op) { op->erase(); }

void CommandLimiter::slice(Operation *op, OpOperand &operand, Part part) {
  OpBuilder builder(op);
  operand.set(
      sliceRows(builder, op->getLoc(), operand.get(), part.begin, part.count));
}

//===----------------------------------------------------------------------===//
// Components
//===----------------------------------------------------------------------===//

/// Kaldi stores no statistics if no row has a derivative.
void CommandLimiter::limitStats(StoreStatsOp op) {
  if (getRows(op.getOutput()).times.isEmpty())
    remove(op);
}

/// A memo cannot be restricted to some rows.
void CommandLimiter::limitBackprop(BackpropOp op) {
  P properties = components.getProperties(op.getComponent());
  if (!has(properties, P::Simple))
    return;
  Part part = getPart(op.getOutputDeriv());
  if (part.count == 0)
    return remove(op);
  if (part.count == MatrixWindow::get(op.getOutputDeriv()).rows || op.getMemo())
    return;
  for (OpOperand &operand : op->getOpOperands())
    slice(op, operand, part);
  ++numLimited;
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

template <typename RowsOp, typename OpTy>
void CommandLimiter::limitMatrices(OpTy op) {
  RowMask masks[] = {getMask(op.getSource()), getMask(op.getDest())};
  if (masks[0].isAll() && masks[1].isAll())
    return;
  Part source = getPart(op.getSource()), dest = getPart(op.getDest());
  int64_t begin = std::max(source.begin, dest.begin);
  int64_t end = std::min(source.begin + source.count, dest.begin + dest.count);
  if (begin >= end)
    return remove(op);
  if (getRows(op.getSource()).times.isContiguous &&
      getRows(op.getDest()).times.isContiguous) {
    slice(op, op.getSourceMutable(), {begin, end - begin});
    slice(op, op.getDestMutable(), {begin, end - begin});
    ++numLimited;
    return;
  }
  Code all;
  appendLoop(all, MatrixWindow::get(op.getDest()).rows, 1, {kRow, 0, 0});
  OpBuilder builder(op);
  auto rows =
      RowsOp::create(builder, op.getLoc(), op.getSource(),
                     RowTableAttr::get(op.getContext(), ArrayRef<int64_t>(all)),
                     op.getDest(), op.getAlphaAttr());
  op.erase();
  limit(rows);
}

/// Limits a command whose operand `side` has one row per entry of `table`; the
/// table refers to rows of the other operands.
void CommandLimiter::limitTable(Operation *op, OpOperand &side,
                                RowTableAttr table,
                                function_ref<void(RowTableAttr)> set) {
  SmallVector<RowMask> masks;
  SmallVector<Part> parts;
  for (OpOperand &operand : op->getOpOperands())
    if (&operand != &side) {
      masks.push_back(getMask(operand.get()));
      parts.push_back(getPart(operand.get()));
    }
  RowMask sideMask = getMask(side.get());
  if (sideMask.isAll() &&
      llvm::all_of(masks, [](const RowMask &mask) { return mask.isAll(); }))
    return;
  Part part = getPart(side.get());
  Code code = keepRows(table.getCode(), masks, sideMask);
  if (getLeadingNone(code) == table.size())
    return remove(op);
  code = mapRows(
      row_table::slice(code, part.begin, part.count),
      [&](int64_t &source, int64_t &row) { row -= parts[source].begin; });
  slice(op, side, part);
  dropUnused(op, side, code);
  set(RowTableAttr::get(op->getContext(), ArrayRef<int64_t>(code)));
  ++numLimited;
}

/// Cuts the operands that `code` refers to, and removes the others.
void CommandLimiter::dropUnused(Operation *op, OpOperand &side, Code &code) {
  DenseSet<int64_t> used;
  forEachRange(code,
               [&](int64_t source, int64_t, int64_t) { used.insert(source); });
  SmallVector<int64_t> numbers; // new ones
  llvm::BitVector dropped(op->getNumOperands());
  int64_t source = 0, kept = 0;
  for (OpOperand &operand : op->getOpOperands()) {
    if (&operand == &side)
      continue;
    numbers.push_back(kept);
    if (used.contains(source++)) {
      slice(op, operand, getPart(operand.get()));
      ++kept;
    } else {
      dropped.set(operand.getOperandNumber());
    }
  }
  op->eraseOperands(dropped);
  code = mapRows(code,
                 [&](int64_t &source, int64_t &) { source = numbers[source]; });
}

/// Rows in range may not be consecutive if the caller lists them; then creates
/// one command for each run of rows.
void CommandLimiter::limitRanges(AddRowRangesOp op) {
  RowMask rows = getMask(op.getSource()), position = getMask(op.getDest());
  if (rows.isAll() && position.isAll())
    return;
  Part source = getPart(op.getSource()), dest = getPart(op.getDest());
  if (source.count == 0 || dest.count == 0)
    return remove(op);
  slice(op, op.getSourceMutable(), source);
  slice(op, op.getDestMutable(), dest);
  Ranges all{Code(op.getBegin().getCode()), Code(op.getEnd().getCode())};
  int64_t size = op.getBegin().size(), number = 0;
  auto table = [&](const Code &code) {
    return RowTableAttr::get(
        op.getContext(),
        ArrayRef<int64_t>(row_table::shifted(
            row_table::slice(code, dest.begin, dest.count), -source.begin)));
  };
  for (;; ++number) {
    Ranges part = keepRanges(all, op.getStep(), rows, position, number);
    if (getLeadingNone(part.begin) == size)
      break;
    OpBuilder builder(op);
    auto limited = cast<AddRowRangesOp>(builder.clone(*op));
    limited.setBeginAttr(table(part.begin));
    limited.setEndAttr(table(part.end));
    ++numLimited;
  }
  op.erase();
}
