//===- GemmOperands.h - Offsets of a matmul's operands ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_KERNELTOVECTOR_GEMM_GEMMOPERANDS_H
#define NNET3_CONVERSION_KERNELTOVECTOR_GEMM_GEMMOPERANDS_H

#include "nnet3/Conversion/KernelToVector/BuilderUtils.h"
#include "nnet3/Conversion/KernelToVector/GemmShape.h"
#include "nnet3/Dialect/Kernel/IR/KernelDialect.h"

namespace mlir::nnet3::kernel {

/// The operands of an operation as offsets in memory; null if absent.
struct GemmOperands {
  /// A vector of per-column constants; null if absent.
  struct Columns {
    Value memory, offset;
    explicit operator bool() const { return bool(memory); }
  };
  /// A matrix in the arena, or without a stride per-column constants.
  struct EpilogueInput {
    Columns first;
    std::optional<int64_t> stride;
  };

  GemmShape shape;
  Region *epilogue;
  /// Memory of matrices and of panels.
  Value arena, weights;
  Value table; ///< null if no input has a row table
  Value panels, init, scratch, output;
  Columns bias, scales, sums;
  SmallVector<Value> inputs; ///< offset of row 0, or of its entry in the table
  SmallVector<EpilogueInput> epilogueInputs;

  /// Fails with an error of `op` if a view or the tile is not supported.
  static FailureOr<GemmOperands> get(ImplicitLocOpBuilder &b, GemmOp op,
                                     TargetAttr target);
};

} // namespace mlir::nnet3::kernel

#endif // NNET3_CONVERSION_KERNELTOVECTOR_GEMM_GEMMOPERANDS_H
