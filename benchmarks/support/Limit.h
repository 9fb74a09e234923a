//===- Limit.h - Lower bound of a network's time ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_BENCHMARKS_LIMIT_H
#define NNET3_BENCHMARKS_LIMIT_H

#include "nnet3/Dialect/Nnet3/IR/CommandOps.h"

namespace mlir::nnet3::benchmarks {

/// Operations and bytes that a chunk of a network needs on any executor.
struct Limit {
  /// For the network `name` of benchmarks/networks. `computation` computes 150
  /// frames of `sequences` sequences with `products` multiply-adds.
  Limit(llvm::StringRef name, int32_t sequences, ComputationOp computation,
        double products);

  /// Floating-point operations: multiplications and additions.
  double flops = 0;
  /// Operations of matmuls on the cycles of recurrences; each step waits for
  /// the one before.
  double recurrentFlops = 0;
  /// Bytes of the weights on the cycle of one recurrence. Each step reads them.
  double recurrentBytes = 0;
  /// Steps of all recurrences.
  double steps = 0;

  /// Returns the least number of seconds at `peak` operations per second, if
  /// memory as large as the recurrent weights is read at `bandwidth` bytes per
  /// second.
  double getSeconds(double peak, double bandwidth) const;
};

} // namespace mlir::nnet3::benchmarks

#endif // NNET3_BENCHMARKS_LIMIT_H
