//===- ThreadLoops.h - Loops that threads share -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_KERNELSTOGPU_THREADLOOPS_H
#define NNET3_CONVERSION_KERNELSTOGPU_THREADLOOPS_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"

namespace mlir::nnet3 {

/// Threads that run in step.
inline constexpr int64_t kWarp = 32;

/// The threads that execute a point of the loop around everything together: a
/// block, or one warp of it.
struct Team {
  Value thread; ///< number in the team
  int64_t size;
  bool isWarp;
};

/// What `op` writes itself; null if it does not write.
Value getWritten(Operation *op);

/// Lets all threads of a team come to the end of a loop in `kernel`, whose
/// points are teams, before one of them reads in a later loop what is written
/// there, or writes what is read there. A reduction of a block does that, too.
void addBarriers(scf::ParallelOp kernel, bool isWarp);

/// Replaces a loop inside of a kernel: each thread of a team takes every
/// `size`-th point of it. What it reduces is combined over the team, so the
/// values it begins with have to be neutral.
LogicalResult shareOut(scf::ParallelOp loop, const Team &team);

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_KERNELSTOGPU_THREADLOOPS_H
