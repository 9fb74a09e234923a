//===- LstmCell.cpp - The arithmetic of an LSTM's gates -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LstmCell.h"

using namespace mlir;
using namespace mlir::nnet3;

LstmCell::LstmCell(const ScalarArithmetic &arithmetic, ValueRange inputs,
                   ValueRange scales, ValueRange peepholes)
    : a(arithmetic), inputs(inputs.begin(), inputs.end()),
      scales(scales.begin(), scales.end()),
      peepholes(peepholes.begin(), peepholes.end()) {
  Value previous = getPrevious();
  i = a.sigmoid(a.multiplyAdd(peepholes[0], previous, inputs[0]));
  f = a.sigmoid(a.multiplyAdd(peepholes[1], previous, inputs[1]));
  g = a.tanh(inputs[2]);
  cell = a.multiplyAdd(scaled(f, 1), previous, a.multiply(scaled(i, 0), g));
  o = a.sigmoid(a.multiplyAdd(peepholes[2], cell, inputs[3]));
  t = a.tanh(cell);
}

CellDerivatives
LstmCell::differentiate(Value dcOut, Value dm,
                        function_ref<Value(int64_t)> getRepair) {
  // Subtracts `amount` times self-repair term `k` from `x`.
  auto repaired = [&](Value x, int64_t k, Value amount) {
    return getRepair ? a.subtract(x, a.multiply(amount, getRepair(k))) : x;
  };
  CellDerivatives d;
  d.o = repaired(a.multiply(scaled(slope(o), 2), a.multiply(t, dm)), 3,
                 centered(o));
  Value dc = a.multiply(tanhSlope(t), a.multiply(scaled(o, 2), dm));
  dc = a.add(a.add(dc, dcOut), a.multiply(peepholes[2], d.o));
  dc = repaired(dc, 4, t);
  d.f = repaired(a.multiply(scaled(slope(f), 1), a.multiply(dc, getPrevious())),
                 1, centered(f));
  d.i = repaired(a.multiply(scaled(slope(i), 0), a.multiply(dc, g)), 0,
                 centered(i));
  d.g = repaired(a.multiply(tanhSlope(g), a.multiply(scaled(i, 0), dc)), 2, g);
  d.previous =
      a.add(a.add(a.multiply(peepholes[0], d.i), a.multiply(peepholes[1], d.f)),
            a.multiply(scaled(f, 1), dc));
  return d;
}
