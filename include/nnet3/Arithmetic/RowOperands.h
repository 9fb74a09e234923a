//===- RowOperands.h - Operands of the code of a component ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_ARITHMETIC_ROWOPERANDS_H
#define NNET3_ARITHMETIC_ROWOPERANDS_H

#include "mlir/IR/Value.h"
#include "mlir/IR/ValueRange.h"

namespace mlir::nnet3 {

/// The operands of an operation on rows, or the corresponding arguments of its
/// region; null if absent. In a `kernel.launch`, matrices have all rows.
struct RowOperands {
  /// The input, and in backward passes the output and its derivative.
  Value input, output, derivative;
  Value factors; ///< in backward passes (BackwardInterface.td)
  /// The values that self-repair adds (StatisticsInterface.td).
  Value repairs;
  Value rowNumbers; ///< a number for each row
  /// Operands of grid-wide phases (StageEmission.h): memory for a memo, a
  /// scratch buffer, the state of random numbers, the number of the command,
  /// the statistics of the component (`own`), and the statistics that the
  /// command updates (`kept`).
  Value memo, scratch, random, command, own, kept;
  SmallVector<Value> vectors; ///< per-column constants
  SmallVector<Value> indexes; ///< the component's lists of indexes
  Value stored;               ///< the destination row
  Value part;                 ///< number of the part of the row
  bool adds = false;          ///< whether to accumulate into the destination

  /// All inputs that are not null, in the order of the region's arguments.
  SmallVector<Value> getInputs() const;
  /// These operands, with `arguments` as the inputs.
  RowOperands replaceInputs(ValueRange arguments) const;

private:
  template <typename Self> static auto getAll(Self &self);
};

} // namespace mlir::nnet3

#endif // NNET3_ARITHMETIC_ROWOPERANDS_H
