//===- GruLayout.h - The blocks of a GRU's row ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_ARITHMETIC_FORWARD_GRULAYOUT_H
#define NNET3_ARITHMETIC_FORWARD_GRULAYOUT_H

#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"

namespace mlir::nnet3 {

/// Where the blocks z, r, hpart, c_prev and s_prev of a row begin (spec:
/// components.md 6.23).
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

} // namespace mlir::nnet3

#endif // NNET3_ARITHMETIC_FORWARD_GRULAYOUT_H
