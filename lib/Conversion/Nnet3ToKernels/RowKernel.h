//===- RowKernel.h - Work on one row after another --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_NNET3TOKERNELS_ROWKERNEL_H
#define NNET3_CONVERSION_NNET3TOKERNELS_ROWKERNEL_H

#include "KernelArguments.h"

namespace mlir::nnet3 {

/// What happens to each element y of the destination, given x of the source.
enum class RowOperation {
  Fill,        ///< y := alpha
  Copy,        ///< y := alpha x
  Add,         ///< y := y + alpha x
  Elementwise, ///< y := f(x)
  Blocks       ///< y_1, y_2, ... := f(x_1, x_2, ...), blocks of columns
};

/// A loop over rows. On CPUs it is an operation of the kernel dialect
/// (KernelBuilder.h).
struct RowKernel {
  RowOperation operation;
  int64_t rows, columns; ///< of Blocks: columns of one
  /// Distance of the rows; none where a table says where each row is. In a
  /// table -1 means no row: zeros to copy, nothing to add, nowhere to write.
  std::optional<int64_t> sourceStride, destStride;
  float alpha = 1;
  ElementwiseKernelInterface component; ///< of Elementwise
  BlockKernelInterface blocks;          ///< of Blocks
  int64_t outputBlocks = 1;             ///< of Blocks
  /// On devices, columns of a thread: places and distances are multiples of it.
  int64_t width = 1;

  /// How many elements each one is computed from, one of each block; of Add the
  /// last one is what it is added to.
  unsigned getNumInputs() const;
  /// Number of vectors of the component, if there is one.
  unsigned getNumVectors() const;
  unsigned getNumPlaces() const {
    return getNumVectors() + 1 + (operation != RowOperation::Fill);
  }

  /// Creates the body of `launch`: arena, weights, row tables, then places:
  /// each vector of the component, destination, source.
  void emit(kernel::LaunchOp launch) const;
};

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_NNET3TOKERNELS_ROWKERNEL_H
