//===- GemmOperands.h - Where the operands of a matmul are ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_KERNELTOVECTOR_GEMMOPERANDS_H
#define NNET3_CONVERSION_KERNELTOVECTOR_GEMMOPERANDS_H

#include "nnet3/Conversion/KernelToVector/BuilderUtils.h"
#include "nnet3/Conversion/KernelToVector/GemmShape.h"
#include "nnet3/Dialect/Kernel/IR/KernelDialect.h"

namespace mlir::nnet3::kernel {

/// The operands of an operation as offsets in memory; null if there is none.
struct GemmOperands {
  /// A matrix, or without a stride a vector with one value for each column.
  struct EpilogueInput {
    Value offset;
    std::optional<int64_t> stride;
  };

  GemmShape shape;
  Region *epilogue;
  /// Memory of matrices, of panels, and of what has a value for each column.
  Value arena, weights, vectors;
  Value table; ///< null if no input's rows are in one
  Value panels, bias, init, scratch, scales, sums, output;
  SmallVector<Value> inputs; ///< of row 0, or of its entry in the table
  SmallVector<EpilogueInput> epilogueInputs;

  /// Fails with an error of `op` if a view or the tile is not one that code
  /// can be generated for.
  static FailureOr<GemmOperands> get(ImplicitLocOpBuilder &b, GemmOp op,
                                     TargetAttr target);
};

} // namespace mlir::nnet3::kernel

#endif // NNET3_CONVERSION_KERNELTOVECTOR_GEMMOPERANDS_H
