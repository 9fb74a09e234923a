//===- BackwardBuilder.h - What backward passes consist of ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_NNET3TOKERNELS_TRAINING_BACKWARDBUILDER_H
#define NNET3_CONVERSION_NNET3TOKERNELS_TRAINING_BACKWARDBUILDER_H

#include "Arena/GradientPlan.h"
#include "Device/StageConverter.h"

#include "nnet3/Arithmetic/BackwardInterface.h"

namespace mlir::nnet3 {

/// The gradient, which is in the arena behind the matrices, and the sums and
/// products that backward passes consist of. Each command adds to the gradient,
/// or writes what nothing has been added to.
class BackwardBuilder {
public:
  BackwardBuilder(CommandContext &context, StageConverter &stages)
      : context(context), stages(stages) {}

  using Rows = ArenaRows;
  /// Place of the gradient of a parameter.
  int64_t getGradient(BackpropOp op, StringRef parameter, int64_t rows,
                      int64_t cols);
  /// Whether what is to be added to parts of the gradient has to be.
  bool addsTo(ArrayRef<Rows> parts) { return !gradients.write(parts); }
  /// A list of #kernel.gradient; null without any.
  ArrayAttr getGradients() const { return gradients.get(); }
  /// What some command adds to, and none has written before, begins with zeros.
  void fillZeros();

  /// The matrices that a command has.
  RowOperands createMatrices(BackpropOp op);
  SmallVector<Value> createVectors(ComponentOpInterface component,
                                   BackwardKernelInterface backward);
  /// The matrices and vectors that the component's backward pass reads.
  RowOperands createOperands(BackpropOp op, BackwardKernelInterface component);
  /// All sums that the component computes from its rows.
  void addSums(BackpropOp op, BackwardKernelInterface component,
               ArrayRef<int64_t> dests, bool adds);
  /// The sum of the rows and of their blocks of `width` columns, written or
  /// added.
  void addColumns(const Rows &rows, int64_t width, int64_t dest, bool adds);
  /// Y := X^T W, or Y += X^T W.
  void addRowProduct(const Rows &x, const Rows &w, const Rows &y, bool adds);

private:
  /// Sums over rows of what `terms` gives for a row and a column, in `blocks`
  /// blocks of `width` columns.
  void addSums(const RowOperands &operands, int64_t width, int64_t blocks,
               ArrayRef<int64_t> dests, bool adds,
               function_ref<SmallVector<Value>(RowEmission &, Value)> terms);

  CommandContext &context;
  StageConverter &stages;
  GradientPlan gradients;
};

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_NNET3TOKERNELS_TRAINING_BACKWARDBUILDER_H
