//===- EpilogueEmitter.h - Code of sums and what follows them ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_NNET3TOKERNELS_EPILOGUEEMITTER_H
#define NNET3_CONVERSION_NNET3TOKERNELS_EPILOGUEEMITTER_H

#include "EpilogueKernel.h"
#include "nnet3/Conversion/KernelToVector/VectorEmitter.h"

namespace mlir::nnet3 {

/// Emits the code of a kernel into the body of a launch, whose arguments from
/// `next` on are its places.
class EpilogueEmitter {
public:
  EpilogueEmitter(const EpilogueKernel &kernel, VectorEmitter &e,
                  kernel::LaunchOp launch, unsigned next);

  /// Some columns of a row, whose sums are in memory.
  void emitColumns(Value row, Value column, int64_t width);

  /// What one thread does with what it has in registers: the output's columns
  /// `cell`, `cell` + cells, `cell` + 2 cells, ...
  using CellBody = function_ref<void(Value cell, ArrayRef<Value> outputs)>;
  /// The only row, with its products, as a loop over `cells`, which is a
  /// divisor of the number of columns. `body` is for what follows each cell.
  void emitCells(int64_t cells, CellBody body);

private:
  SmallVector<Value> multiply(ArrayRef<Value> columns);
  SmallVector<Value> multiply(unsigned product, ArrayRef<Value> columns);
  /// Gives what it stores.
  Value emitEpilogue(Value row, Value column, Value x);
  Value applySteps(Value x, Value column);
  Value add(Value a, Value b) {
    return arith::AddFOp::create(e.getBuilder(), e.getLoc(), a, b);
  }
  Value getPlace(Value base, Value row, int64_t stride, Value column) {
    return e.add(e.add(base, e.mul(row, stride)), column);
  }

  const EpilogueKernel &kernel;
  VectorEmitter &e;
  Value arena, weights, bias, output, input, init, residual;
  SmallVector<Value> vectors, factors;
  int64_t width = 1; ///< columns of the output at a time
};

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_NNET3TOKERNELS_EPILOGUEEMITTER_H
