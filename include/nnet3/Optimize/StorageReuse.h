//===- StorageReuse.h - Allocations that can reuse storage ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_OPTIMIZE_STORAGEREUSE_H
#define NNET3_OPTIMIZE_STORAGEREUSE_H

#include "nnet3/Dialect/Nnet3/IR/CommandOps.h"

namespace mlir::nnet3 {

/// Calls `reuse` for deallocations in a block and a later allocation there that
/// can take over the storage, because it has the same size. In reverse order,
/// each deallocation gets the first allocation after it that is left. `reuse`
/// may erase both.
void forEachReuse(Block &block,
                  function_ref<void(DeallocMatrixOp, Operation *)> reuse);

} // namespace mlir::nnet3

#endif // NNET3_OPTIMIZE_STORAGEREUSE_H
