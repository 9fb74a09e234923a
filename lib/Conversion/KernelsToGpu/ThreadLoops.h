//===- ThreadLoops.h - Loops that threads share -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_KERNELSTOGPU_THREADLOOPS_H
#define NNET3_CONVERSION_KERNELSTOGPU_THREADLOOPS_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"

namespace mlir::nnet3 {

/// Threads of a warp.
inline constexpr int64_t kWarp = 32;

/// The threads that execute a point of the outermost loop together: a block, or
/// one warp of it.
struct Team {
  Value thread; ///< number in the team
  int64_t size;
  bool isWarp;
};

/// Returns the memory that `op` itself writes; null if it does not write.
Value getWritten(Operation *op);

/// Inserts barriers between the loops in `kernel`, whose points are teams,
/// where a later loop reads memory that an earlier one writes, or writes memory
/// that an earlier one accesses. A reduction of a block is a barrier, too.
void addBarriers(scf::ParallelOp kernel, bool isWarp);

/// Distributes a loop inside a kernel: each thread of a team takes every
/// `size`-th point. Reductions are combined over the team, so their initial
/// values must be neutral.
LogicalResult shareOut(scf::ParallelOp loop, const Team &team);

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_KERNELSTOGPU_THREADLOOPS_H
