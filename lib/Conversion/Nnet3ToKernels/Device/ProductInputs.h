//===- ProductInputs.h - How products read their rows -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_NNET3TOKERNELS_DEVICE_PRODUCTINPUTS_H
#define NNET3_CONVERSION_NNET3TOKERNELS_DEVICE_PRODUCTINPUTS_H

#include "Arena/ArenaPlan.h"
#include "RowBatches.h"

#include "nnet3/Dialect/Kernel/IR/Precision.h"
#include "nnet3/Dialect/Nnet3/IR/FusedCommandOps.h"

namespace mlir::nnet3 {

/// Inputs of a fused command whose columns of the weights are side by side, for
/// one product of a device's library.
struct ProductInputs {
  enum class Kind {
    InPlace,     ///< one input, read where it is
    Gathered,    ///< one input, whose rows are copied
    Overlapping, ///< rows that follow each other in memory: longer rows, which
                 ///< overlap
    Spliced      ///< several inputs, copied side by side
  };

  Kind kind;
  unsigned first, count;
  int64_t depth; ///< all columns
  /// Of the first input, where it is not gathered.
  RowBatches rows = {};
  /// Of what is spliced: the copy has numbers of 16 bits, or floats.
  Precision precision = Precision::F32;

  /// Floats to copy rows to.
  int64_t getScratchSize(FusedAffineOp op) const;
};

/// The products of `op`. As few as possible: each further one reads and writes
/// the sums once more, which for narrow inputs costs more than a copy. With a
/// `precision` of 16 bits, what can be is copied to numbers of it.
SmallVector<ProductInputs> getProductInputs(FusedAffineOp op,
                                            Precision precision);

/// Rows that overlap cannot be one matrix of a library: rows 0, `parts`, ...
/// are the first one, rows 1, `parts` + 1, ... the second one, and so on.
struct OverlappingRows {
  int64_t parts;
  int64_t rows; ///< of each part, of all rows or up to parts - 1 more
};
OverlappingRows getOverlappingRows(const ProductInputs &inputs,
                                   int64_t inputStride);

/// What such products write and read behind their matrices.
Padding getPadding(ComputationOp computation, Precision precision);

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_NNET3TOKERNELS_DEVICE_PRODUCTINPUTS_H
