//===- LstmCell.cpp - The arithmetic of an LSTM's gates -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LstmCell.h"
#include "KernelModels.h"

using namespace mlir;
using namespace mlir::nnet3;

/// What gate `number` of i, f and o is multiplied by.
Value LstmCell::scaled(Value gate, int64_t number) {
  if (!op.getUseDropout())
    return gate;
  Value place = arith::ConstantIndexOp::create(row.getBuilder(), row.getLoc(),
                                               5 * dim + number);
  return row.multiply(gate, row.loadInput(place));
}

Value LstmCell::sigmoid(Value x) {
  return createSigmoid(row.getBuilder(), row.getLoc(), x);
}

CellValues LstmCell::computeValues() {
  CellValues values;
  Value wi = row.loadVector(0, column), wf = row.loadVector(1, column),
        wo = row.loadVector(2, column);
  Value previous = input(4);
  values.i = sigmoid(row.add(input(0), row.multiply(wi, previous)));
  values.f = sigmoid(row.add(input(1), row.multiply(wf, previous)));
  values.g = row.tanh(input(2));
  values.cell = row.add(row.multiply(scaled(values.f, 1), previous),
                        row.multiply(scaled(values.i, 0), values.g));
  values.o = sigmoid(row.add(input(3), row.multiply(wo, values.cell)));
  values.t = row.tanh(values.cell);
  return values;
}

CellDerivatives LstmCell::compute() {
  auto [i, f, g, o, t, cell] = computeValues();
  CellDerivatives result;
  result.cell = cell;
  Value wi = row.loadVector(0, column), wf = row.loadVector(1, column),
        wo = row.loadVector(2, column);
  Value previous = input(4);
  Value dcOut = row.loadDerivative(column), dm = row.loadDerivative(at(1));
  result.o = repaired(row.multiply(scaled(slope(o), 2), row.multiply(t, dm)), 3,
                      centered(o));
  Value dc = row.multiply(tanhSlope(t), row.multiply(scaled(o, 2), dm));
  dc = row.add(row.add(dc, dcOut), row.multiply(wo, result.o));
  dc = repaired(dc, 4, t);
  result.f =
      repaired(row.multiply(scaled(slope(f), 1), row.multiply(dc, previous)), 1,
               centered(f));
  result.i = repaired(row.multiply(scaled(slope(i), 0), row.multiply(dc, g)), 0,
                      centered(i));
  result.g = repaired(
      row.multiply(tanhSlope(g), row.multiply(scaled(i, 0), dc)), 2, g);
  result.previous =
      row.add(row.add(row.multiply(wi, result.i), row.multiply(wf, result.f)),
              row.multiply(scaled(f, 1), dc));
  return result;
}
