//===- Limit.h - How fast a network can be ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_BENCHMARKS_LIMIT_H
#define NNET3_BENCHMARKS_LIMIT_H

#include "nnet3/Dialect/Nnet3/IR/CommandOps.h"

namespace mlir::nnet3::benchmarks {

/// What a chunk of a network needs, whatever computes it.
struct Limit {
  /// Of the network `name` of benchmarks/networks, of which `computation`
  /// computes 150 frames of `sequences` sequences, which take `products`
  /// multiply-adds.
  Limit(llvm::StringRef name, int32_t sequences, ComputationOp computation,
        double products);

  /// Floating-point operations: products and sums.
  double flops = 0;
  /// Those of the products on the cycles of recurrences, which wait for each
  /// other step by step.
  double recurrentFlops = 0;
  /// Bytes of the weights on the cycle of one recurrence. Each step reads them.
  double recurrentBytes = 0;
  /// Steps of all recurrences.
  double steps = 0;

  /// Seconds, with so many operations per second, and so many bytes per second
  /// read of memory as large as the recurrent weights.
  double getSeconds(double peak, double bandwidth) const;
};

} // namespace mlir::nnet3::benchmarks

#endif // NNET3_BENCHMARKS_LIMIT_H
