//===- LoweredRequest.h - Lowering a request to code ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_EXECUTION_LOWEREDREQUEST_H
#define NNET3_EXECUTION_LOWEREDREQUEST_H

#include "nnet3/Dialect/Nnet3/IR/NetworkOps.h"
#include "nnet3/Dialect/Nnet3/IR/RequestOps.h"

#include "mlir/IR/BuiltinOps.h"

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace mlir::nnet3 {

/// Clones `network` and `request` into a new module and runs the passes that
/// `addPasses` adds.
FailureOr<OwningOpRef<ModuleOp>>
lowerRequest(NetworkOp network, RequestOp request,
             llvm::function_ref<void(OpPassManager &)> addPasses);

} // namespace mlir::nnet3

#endif // NNET3_EXECUTION_LOWEREDREQUEST_H
