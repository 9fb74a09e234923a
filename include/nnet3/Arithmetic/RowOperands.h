//===- RowOperands.h - Operands of the code of a component ------*- C++ -*-===//
//-*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_ARITHMETIC_ROWOPERANDS_H
#define NNET3_ARITHMETIC_ROWOPERANDS_H

#include "mlir/IR/Value.h"
#include "mlir/IR/ValueRange.h"

namespace mlir::nnet3 {

/// The operands of an operation on rows, or the arguments that its region has
/// for them; null without. In a `kernel.launch` matrices have all rows.
struct RowOperands {
  /// The input, and in backward passes the output and its derivative.
  Value input, output, derivative;
  Value factors; ///< in backward passes (BackwardInterface.td)
  /// What self-repair adds, as the component has it (StatisticsInterface.td).
  Value repairs;
  Value rowNumbers; ///< a number for each row
  /// Operands of stages (StageEmission.h): memory for a memo, scratch memory,
  /// the state of random numbers, the number of the command, the statistics of
  /// the component (`own`), and the statistics that the command updates
  /// (`kept`).
  Value memo, scratch, random, command, own, kept;
  SmallVector<Value> vectors; ///< per-column constants
  SmallVector<Value> indexes; ///< the component's lists of indexes
  Value stored;               ///< the row that is computed
  Value part;                 ///< number of the part of it
  bool adds = false;          ///< whether the row is added to what is there

  /// All inputs that there are, in the order of the region's arguments.
  SmallVector<Value> getInputs() const;
  /// These operands, with `arguments` as the inputs.
  RowOperands replaceInputs(ValueRange arguments) const;

private:
  template <typename Self> static auto getAll(Self &self);
};

} // namespace mlir::nnet3

#endif // NNET3_ARITHMETIC_ROWOPERANDS_H
