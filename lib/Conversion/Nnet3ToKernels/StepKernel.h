//===- StepKernel.h - What the runtime does during a training step -*- C++ -*-//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_NNET3TOKERNELS_STEPKERNEL_H
#define NNET3_CONVERSION_NNET3TOKERNELS_STEPKERNEL_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <optional>

namespace mlir::nnet3 {

/// A call of the runtime from a device's list of launches: it computes
/// objectives and their derivatives by the outputs, or it preconditions rows,
/// with `isTwoSided` also columns, and multiplies them so that their sum of
/// squares stays the same.
struct StepKernel {
  /// Whose preconditioner, counted by `number`; null for objectives. The next
  /// one is that of columns. Of a composite component the part, counted from 0.
  StringAttr component;
  std::optional<int64_t> part;
  int64_t number = 0;
  int64_t rows = 0, columns = 0, stride = 0;
  bool isTwoSided = false;

  /// Creates the body of `function`, which does nothing: arena, weights, row
  /// tables, context, then the place of the rows. The attribute `nnet3.step`
  /// says what the runtime does.
  void emit(func::FuncOp function) const;
};

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_NNET3TOKERNELS_STEPKERNEL_H
