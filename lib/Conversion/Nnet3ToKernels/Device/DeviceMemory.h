//===- DeviceMemory.h - Memory of a device beside matrices ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_NNET3TOKERNELS_DEVICE_DEVICEMEMORY_H
#define NNET3_CONVERSION_NNET3TOKERNELS_DEVICE_DEVICEMEMORY_H

#include "Arena/StageMemory.h"
#include "ProductInputs.h"

namespace mlir::nnet3 {

/// The memory that a device needs beside the matrices of a computation. The
/// scratch memory for rows that a matmul cannot read in place, for accumulators
/// that may not be in the output yet, and for the data of components with
/// several phases is at the start of the arena; behind it is what phases keep.
struct DeviceMemory {
  /// With factors of products of `wanted` precision, if they may have it.
  DeviceMemory(ComputationOp computation, Precision wanted);

  /// Floats at the start of the arena.
  int64_t getSize() const { return scratchSize + stages.getKeptSize(); }

  Precision precision; ///< of factors of products
  StageMemory stages;
  Padding padding; ///< of the matrices
  int64_t scratchSize;
};

/// Floats for the rows that are copied for one product.
int64_t getGatherSize(FusedAffineOp op, Precision precision);

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_NNET3TOKERNELS_DEVICE_DEVICEMEMORY_H
