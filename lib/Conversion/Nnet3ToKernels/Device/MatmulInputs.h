//===- MatmulInputs.h - How matmuls read their rows -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_NNET3TOKERNELS_DEVICE_PRODUCTINPUTS_H
#define NNET3_CONVERSION_NNET3TOKERNELS_DEVICE_PRODUCTINPUTS_H

#include "Arena/ArenaPlan.h"
#include "RowBatches.h"

#include "nnet3/Dialect/Kernel/IR/Precision.h"
#include "nnet3/Dialect/Nnet3/IR/FusedCommandOps.h"

namespace mlir::nnet3 {

/// Inputs of a fused command whose weight columns are adjacent, for one matmul
/// of a device's library.
struct MatmulInputs {
  enum class Kind {
    InPlace,     ///< one input, read in place
    Gathered,    ///< one input, whose rows are copied
    Overlapping, ///< several inputs, read as longer rows that overlap
    Spliced      ///< several inputs, copied side by side
  };

  Kind kind;
  unsigned first, count;
  int64_t depth; ///< all columns
  /// Rows of the first input, unless it is gathered.
  RowBatches rows = {};
  /// Element type of a spliced copy: 16-bit or f32.
  Precision precision = Precision::F32;

  /// Size in floats of the copy of the rows.
  int64_t getScratchSize(FusedAffineOp op) const;
};

/// What decides how matmuls read their rows.
struct MatmulTarget {
  /// Inputs are copied in a 16-bit precision where possible.
  Precision precision = Precision::F32;
  /// Whether each matmul is launched on a device, which takes time.
  bool launches = false;
};

/// Returns the matmuls of `op`. Each further one reads and writes the
/// accumulators once more, which for narrow inputs costs more than to copy
/// several of them side by side.
SmallVector<MatmulInputs> getMatmulInputs(FusedAffineOp op,
                                          const MatmulTarget &target);

/// Overlapping rows cannot be one matrix of a BLAS library: rows 0, `parts`,
/// ... are the first matrix, rows 1, `parts` + 1, ... the second one, and so
/// on.
struct OverlappingRows {
  int64_t parts;
  int64_t rows; ///< per part; together up to parts - 1 more than needed
};
OverlappingRows getOverlappingRows(const MatmulInputs &inputs,
                                   int64_t inputStride);

/// Returns the memory that such matmuls read and write past their matrices.
Padding getPadding(ComputationOp computation, const MatmulTarget &target);

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_NNET3TOKERNELS_DEVICE_PRODUCTINPUTS_H
