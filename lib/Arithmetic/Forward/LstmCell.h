//===- LstmCell.h - The arithmetic of an LSTM's gates -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_ARITHMETIC_FORWARD_LSTMCELL_H
#define NNET3_ARITHMETIC_FORWARD_LSTMCELL_H

#include "nnet3/Arithmetic/ScalarArithmetic.h"
#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"

namespace mlir::nnet3 {

/// Derivatives with respect to the inputs of i, f, g and o, and to c_prev
/// (spec: components.md 6.15).
struct CellDerivatives {
  Value i, f, g, o, previous;
};

/// The arithmetic of one column, forward and backward.
class LstmCell {
public:
  /// `inputs` are i_part, f_part, c_part, o_part and c_prev; `scales` are the
  /// dropout scales of i, f and o, or empty; `peepholes` are the weights of i,
  /// f and o.
  LstmCell(const ScalarArithmetic &arithmetic, ValueRange inputs,
           ValueRange scales, ValueRange peepholes);
  /// Loads column `column` of `row`, a RowEmission or StageEmission.
  template <typename RowTy>
  static LstmCell load(RowTy &row, LstmNonlinearityOp op, Value column);

  Value i, f, g, o, t, cell; ///< g = tanh(c_part), t = tanh(c)

  /// Returns m, the second block of the output; c is the first.
  Value getOutput() { return a.multiply(scaled(o, 2), t); }
  /// Computes the derivatives of the inputs from those of c and m. `getRepair`
  /// returns self-repair term k of the column; null for no self-repair.
  CellDerivatives differentiate(Value dcOut, Value dm,
                                function_ref<Value(int64_t k)> getRepair);

  Value getPrevious() const { return inputs[4]; }
  /// The slope of a sigmoid with the value `y`, and of a tanh.
  Value slope(Value y) { return a.multiply(y, a.subtract(a.number(1), y)); }
  Value tanhSlope(Value y) { return a.subtract(a.number(1), a.multiply(y, y)); }

private:
  /// Returns gate `number` of i, f and o, scaled.
  Value scaled(Value gate, unsigned number) {
    return scales.empty() ? gate : a.multiply(gate, scales[number]);
  }
  /// 2 y - 1.
  Value centered(Value y) { return a.subtract(a.add(y, y), a.number(1)); }

  ScalarArithmetic a;
  SmallVector<Value> inputs, scales, peepholes;
};

template <typename RowTy>
LstmCell LstmCell::load(RowTy &row, LstmNonlinearityOp op, Value column) {
  const int64_t dim = op.getCellDim();
  SmallVector<Value> inputs, scales, peepholes;
  for (int64_t block = 0; block < 5; ++block)
    inputs.push_back(
        row.load(block == 0 ? column : row.shift(column, block * dim)));
  for (int64_t gate = 0; gate < 3; ++gate) {
    peepholes.push_back(row.loadVector(gate, column));
    if (op.getUseDropout())
      scales.push_back(row.load(row.index(5 * dim + gate)));
  }
  return LstmCell(row, inputs, scales, peepholes);
}

} // namespace mlir::nnet3

#endif // NNET3_ARITHMETIC_FORWARD_LSTMCELL_H
