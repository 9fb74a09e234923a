//===- DeviceMemory.h - Memory of a device besides matrices -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_NNET3TOKERNELS_DEVICE_DEVICEMEMORY_H
#define NNET3_CONVERSION_NNET3TOKERNELS_DEVICE_DEVICEMEMORY_H

#include "Arena/StageMemory.h"
#include "MatmulInputs.h"

namespace mlir::nnet3 {

/// The memory that a device needs besides the matrices of a computation. The
/// start of the arena is a scratch buffer: for rows that a matmul cannot read
/// in place, for accumulators that may not be in the output yet, and for the
/// data of components with several grid-wide phases. The memory that is kept
/// between phases follows it.
struct DeviceMemory {
  /// Uses matmul inputs of the precision of `wanted` if the computation allows
  /// it. `isShared`: whether other processes compute parts of the same
  /// minibatch.
  DeviceMemory(ComputationOp computation, const MatmulTarget &wanted,
               bool isShared);

  /// Floats at the start of the arena.
  int64_t getSize() const { return scratchSize + stages.getKeptSize(); }

  MatmulTarget target;
  StageMemory stages;
  Padding padding; ///< of the matrices
  int64_t scratchSize;
};

/// Number of floats for the rows that are copied for one matmul.
int64_t getGatherSize(FusedAffineOp op, const MatmulTarget &target);

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_NNET3TOKERNELS_DEVICE_DEVICEMEMORY_H
