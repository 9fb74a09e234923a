//===- MatmulShape.h - Matmuls of a device's library ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_NNET3TOKERNELS_MATMULSHAPE_H
#define NNET3_CONVERSION_NNET3TOKERNELS_MATMULSHAPE_H

#include "nnet3/Dialect/Kernel/IR/KernelDialect.h"

#include <optional>

namespace mlir::nnet3 {

/// A `kernel.matmul` of matrices whose rows are at equal distances. With a
/// precision of 16 bits, strides and distances of X and W count numbers, of
/// which a float holds two.
struct MatmulShape {
  kernel::MatmulFactors factors = kernel::MatmulFactors::NT;
  Precision precision = Precision::F32;
  int64_t rows, columns, depth; ///< of Y, of Y, of the sums
  int64_t inputStride, weightsStride, outputStride;
  int64_t batches = 1;
  int64_t inputBatch = 0, outputBatch = 0; ///< distances of matrices
  float beta = 0;
  std::optional<kernel::Form> form;
};

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_NNET3TOKERNELS_MATMULSHAPE_H
