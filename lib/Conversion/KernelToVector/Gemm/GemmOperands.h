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
  /// A matrix, or without a stride a vector of per-column constants.
  struct EpilogueInput {
    Value offset;
    std::optional<int64_t> stride;
  };

  GemmShape shape;
  Region *epilogue;
  /// Memory of matrices, of panels, and of per-column constants.
  Value arena, weights, vectors;
  Value table; ///< null if no input has a row table
  Value panels, bias, init, scratch, scales, sums, output;
  SmallVector<Value> inputs; ///< offset of row 0, or of its entry in the table
  SmallVector<EpilogueInput> epilogueInputs;

  /// Fails with an error of `op` if a view or the tile is not supported.
  static FailureOr<GemmOperands> get(ImplicitLocOpBuilder &b, GemmOp op,
                                     TargetAttr target);
};

} // namespace mlir::nnet3::kernel

#endif // NNET3_CONVERSION_KERNELTOVECTOR_GEMM_GEMMOPERANDS_H
