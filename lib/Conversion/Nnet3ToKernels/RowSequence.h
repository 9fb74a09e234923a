//===- RowSequence.h - Kernels one after the other --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_NNET3TOKERNELS_ROWSEQUENCE_H
#define NNET3_CONVERSION_NNET3TOKERNELS_ROWSEQUENCE_H

#include "EpilogueKernel.h"
#include "RowKernel.h"

namespace mlir::nnet3 {

/// Kernels that do the same rows and columns, one after the other: each thread
/// does all of them to its part, and has in registers what it has written.
struct RowSequence {
  /// What may come first: the products of the only row, of all blocks of
  /// columns that the others have.
  std::optional<EpilogueKernel> product;
  SmallVector<RowKernel> kernels;
  /// Which of the blocks that the sequence writes, counted from its beginning,
  /// each input of each kernel is; none where it is in memory.
  SmallVector<SmallVector<std::optional<unsigned>>> known;

  /// Creates the body of `launch`: the places of all kernels.
  void emit(kernel::LaunchOp launch) const;
};

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_NNET3TOKERNELS_ROWSEQUENCE_H
