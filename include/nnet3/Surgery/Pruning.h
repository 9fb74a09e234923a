//===- Pruning.h - What pruning measures ------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_SURGERY_PRUNING_H
#define NNET3_SURGERY_PRUNING_H

#include "nnet3/Dialect/Nnet3/IR/NetworkOps.h"

namespace mlir::nnet3 {

/// The nodes that `nnet3-prune-bottlenecks` makes narrower.
SmallVector<Value> findBottlenecks(NetworkOp network, StringRef pattern);

/// The nodes with the outputs of the cells that `nnet3-prune-cells` removes
/// some of. `onSkip` is told why it keeps the cells of other nodes.
SmallVector<Value>
findCellOutputs(NetworkOp network, StringRef pattern,
                llvm::function_ref<void(StringRef reason)> onSkip);

} // namespace mlir::nnet3

#endif // NNET3_SURGERY_PRUNING_H
