//===- LimitedCommands.h - Limit commands to a range of times ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_LIB_OPTIMIZE_LIMITEDCOMMANDS_H
#define NNET3_LIB_OPTIMIZE_LIMITEDCOMMANDS_H

#include "RowTimes.h"
#include "nnet3/Dialect/Nnet3/Analysis/ComponentTable.h"

namespace mlir::nnet3 {

/// Which rows of a matrix are in range, and whether it is a derivative.
struct MatrixRows {
  RowTimes times; ///< the rows in range
  bool isDeriv;
};

/// Restricts commands to derivatives that are in range.
class CommandLimiter {
public:
  CommandLimiter(ComponentTable &components,
                 const DenseMap<Value, MatrixRows> &matrices)
      : components(components), matrices(matrices) {}

  /// Erases `op` if nothing remains.
  void limit(Operation *op);

  int64_t getNumLimited() const { return numLimited; }

private:
  /// Rows of an operand.
  struct Part {
    int64_t begin, count;
  };

  const MatrixRows &getRows(Value value) const;
  RowMask getMask(Value value) const;
  Part getPart(Value value) const;
  void remove(Operation *op);
  void slice(Operation *op, OpOperand &operand, Part part);

  void limitStats(StoreStatsOp op);
  void limitBackprop(BackpropOp op);
  template <typename RowsOp, typename OpTy> void limitMatrices(OpTy op);
  void limitTable(Operation *op, OpOperand &side, RowTableAttr table,
                  function_ref<void(RowTableAttr)> set);
  void dropUnused(Operation *op, OpOperand &side, row_table::Code &code);
  void limitRanges(AddRowRangesOp op);

  ComponentTable &components;
  const DenseMap<Value, MatrixRows> &matrices;
  int64_t numLimited = 0;
};

} // namespace mlir::nnet3

#endif // NNET3_LIB_OPTIMIZE_LIMITEDCOMMANDS_H
