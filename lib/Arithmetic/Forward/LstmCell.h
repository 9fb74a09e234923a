//===- LstmCell.h - The arithmetic of an LSTM's gates -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_ARITHMETIC_FORWARD_LSTMCELL_H
#define NNET3_ARITHMETIC_FORWARD_LSTMCELL_H

#include "nnet3/Arithmetic/BackwardEmission.h"
#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"

namespace mlir::nnet3 {

/// Derivatives by what goes into each of i, f, g and o, by their peepholes'
/// cell values, and by c_prev (spec: components.md 6.15).
struct CellDerivatives {
  Value i, f, g, o, cell, previous;
};

/// What a forward pass computes: g and t are the tanh of c_part and of c.
struct CellValues {
  Value i, f, g, o, t, cell;
};

/// The arithmetic of one column.
class LstmCell {
public:
  LstmCell(BackwardEmission &row, LstmNonlinearityOp op, Value column)
      : row(row), op(op), column(column), dim(op.getCellDim()) {}

  CellValues computeValues();
  CellDerivatives compute();

  /// The derivative of a sigmoid that is `y`.
  Value slope(Value y) {
    return row.multiply(y, row.subtract(row.number(1), y));
  }
  Value tanhSlope(Value y) {
    return row.subtract(row.number(1), row.multiply(y, y));
  }

private:
  Value input(int64_t block) { return row.loadInput(at(block)); }
  Value at(int64_t block) {
    return block == 0 ? column : row.shift(column, block * dim);
  }
  Value scaled(Value gate, int64_t number);
  Value sigmoid(Value x);
  /// Moves `x` by what self-repair number `k` adds, `amount` times.
  Value repaired(Value x, int64_t k, Value amount) {
    return row.subtract(x, row.multiply(amount, row.loadRepair(at(k))));
  }
  /// 2 y - 1.
  Value centered(Value y) { return row.subtract(row.add(y, y), row.number(1)); }

  BackwardEmission &row;
  LstmNonlinearityOp op;
  Value column;
  int64_t dim;
};

} // namespace mlir::nnet3

#endif // NNET3_ARITHMETIC_FORWARD_LSTMCELL_H
