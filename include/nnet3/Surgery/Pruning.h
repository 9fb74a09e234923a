//===- Pruning.h - Nodes that pruning changes -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_SURGERY_PRUNING_H
#define NNET3_SURGERY_PRUNING_H

#include "nnet3/Dialect/Nnet3/IR/NetworkOps.h"

namespace mlir::nnet3 {

/// Returns the nodes that `nnet3-prune-bottlenecks` narrows.
SmallVector<Value> findBottlenecks(NetworkOp network, StringRef pattern);

/// Returns the nodes with the outputs of cells from which `nnet3-prune-cells`
/// removes some. `onSkip` receives the reason if the cells of a node cannot be
/// removed.
SmallVector<Value>
findCellOutputs(NetworkOp network, StringRef pattern,
                llvm::function_ref<void(StringRef reason)> onSkip);

} // namespace mlir::nnet3

#endif // NNET3_SURGERY_PRUNING_H
