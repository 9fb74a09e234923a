//===- LoweredRequest.h - A request made to code ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_PIPELINES_LOWEREDREQUEST_H
#define NNET3_PIPELINES_LOWEREDREQUEST_H

#include "nnet3/Dialect/Nnet3/IR/NetworkOps.h"
#include "nnet3/Dialect/Nnet3/IR/RequestOps.h"

#include "mlir/IR/BuiltinOps.h"

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace nnet3 {

/// `request` with `network` in a module of their own, after the passes that
/// `addPasses` adds.
mlir::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>>
lowerRequest(mlir::nnet3::NetworkOp network, mlir::nnet3::RequestOp request,
             llvm::function_ref<void(mlir::OpPassManager &)> addPasses);

} // namespace nnet3

#endif // NNET3_PIPELINES_LOWEREDREQUEST_H
