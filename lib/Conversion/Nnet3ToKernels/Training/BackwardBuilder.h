//===- BackwardBuilder.h - Building blocks of backward passes ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_NNET3TOKERNELS_TRAINING_BACKWARDBUILDER_H
#define NNET3_CONVERSION_NNET3TOKERNELS_TRAINING_BACKWARDBUILDER_H

#include "Arena/GradientPlan.h"
#include "Device/StageConverter.h"

#include "nnet3/Arithmetic/BackwardInterface.h"

namespace mlir::nnet3 {

/// The gradient, which is in the arena after the matrices, and the reductions
/// and matmuls of backward passes. Each command adds to the gradient, or writes
/// it if nothing has been added there.
class BackwardBuilder {
public:
  BackwardBuilder(CommandContext &context, StageConverter &stages)
      : context(context), stages(stages) {}

  using Rows = ArenaRows;
  /// Returns the offset of the gradient of a parameter.
  int64_t getGradient(BackpropOp op, StringRef parameter, int64_t rows,
                      int64_t cols);
  /// Whether the next contribution to parts of the gradient must be added
  /// rather than written.
  bool addsTo(ArrayRef<Rows> parts) { return !gradients.write(parts); }
  /// Returns a list of #kernel.gradient; null if empty.
  ArrayAttr getGradients() const { return gradients.get(); }
  /// Zero-fills the gradients that a command adds to and no earlier command
  /// writes.
  void fillZeros();
  /// Lets the runtime begin to sum the gradients of a component.
  void sumGradients(StringAttr component);

  /// Creates views of the matrices of a command.
  RowOperands createMatrices(BackpropOp op);
  SmallVector<Value> createVectors(ComponentOpInterface component,
                                   BackwardKernelInterface backward);
  /// Creates views of the matrices and constants that the component's backward
  /// pass reads.
  RowOperands createOperands(BackpropOp op, BackwardKernelInterface component);
  /// Emits all reductions that the component computes from its rows.
  void addSums(BackpropOp op, BackwardKernelInterface component,
               ArrayRef<int64_t> dests, bool adds);
  /// Writes or adds the sum over the rows and over their blocks of `width`
  /// columns.
  void addColumns(const Rows &rows, int64_t width, int64_t dest, bool adds);
  /// Emits Y := X^T W, or Y += X^T W.
  void addRowProduct(const Rows &x, const Rows &w, const Rows &y, bool adds);

private:
  /// Reduces the values of `terms` over the rows, in `blocks` blocks of `width`
  /// columns.
  void addSums(const RowOperands &operands, int64_t width, int64_t blocks,
               ArrayRef<int64_t> dests, bool adds,
               function_ref<SmallVector<Value>(RowEmission &, Value)> terms);

  CommandContext &context;
  StageConverter &stages;
  GradientPlan gradients;
};

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_NNET3TOKERNELS_TRAINING_BACKWARDBUILDER_H
