//===- GruCell.h - The arithmetic of a GRU's gates --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_ARITHMETIC_FORWARD_GRUCELL_H
#define NNET3_ARITHMETIC_FORWARD_GRUCELL_H

#include "nnet3/Arithmetic/ScalarArithmetic.h"
#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"

namespace mlir::nnet3 {

/// The first columns of the blocks z, r, hpart, c_prev and s_prev of a row
/// (spec: components.md 6.23).
struct GruLayout {
  explicit GruLayout(Operation *op) {
    auto gru = cast<GruNonlinearityOp>(op);
    cell = gru.getCellDim();
    recurrent = gru.getRecurrentDim().value_or(cell);
    r = cell;
    hpart = r + recurrent;
    cPrev = hpart + cell;
    sPrev = recurrent == cell ? cPrev : cPrev + cell;
  }
  int64_t cell, recurrent;
  int64_t r, hpart, cPrev, sPrev;
};

/// One column of c = (1 - z) h + z c_prev, where h = tanh(candidate).
class GruCell {
public:
  GruCell(const ScalarArithmetic &arithmetic, Value z, Value h, Value previous)
      : a(arithmetic), z(z), h(h), previous(previous) {}
  /// Loads column `c` in a backward pass; c_prev starts at column `cPrev`.
  template <typename RowTy>
  static GruCell load(RowTy &row, Value c, int64_t cPrev) {
    return GruCell(row, row.load(c), row.loadOutput(c),
                   row.load(row.shift(c, cPrev)));
  }

  Value getState() {
    return a.multiplyAdd(z, previous, a.multiply(getRest(), h));
  }
  /// Returns the derivative of the candidate from those of h and c; subtracts
  /// the self-repair term `repair` h if there is one.
  Value differentiateCandidate(Value dh, Value dc, Value repair) {
    Value both = a.add(dh, a.multiply(dc, getRest()));
    Value d = a.multiply(both, a.subtract(a.splat(h, 1), a.multiply(h, h)));
    return repair ? a.subtract(d, a.multiply(repair, h)) : d;
  }
  /// Returns the derivatives of z and c_prev through c.
  std::pair<Value, Value> differentiateGate(Value dc) {
    return {a.multiply(dc, a.subtract(previous, h)), a.multiply(dc, z)};
  }
  Value getPrevious() const { return previous; }

private:
  Value getRest() { return a.subtract(a.splat(z, 1), z); }

  ScalarArithmetic a;
  Value z, h, previous;
};

} // namespace mlir::nnet3

#endif // NNET3_ARITHMETIC_FORWARD_GRUCELL_H
