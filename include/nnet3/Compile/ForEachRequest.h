//===- ForEachRequest.h - The requests of a module --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_COMPILE_FOREACHREQUEST_H
#define NNET3_COMPILE_FOREACHREQUEST_H

#include "nnet3/Compile/NodeTable.h"
#include "nnet3/Dialect/Nnet3/IR/RequestOps.h"

#include "mlir/IR/SymbolTable.h"

namespace mlir::nnet3 {

/// Calls `fn` for each request of `module` with its network and the NodeTable
/// of the network, which is built once. Stops at the first failure.
LogicalResult forEachRequest(
    ModuleOp module, SymbolTable &symbols,
    function_ref<LogicalResult(RequestOp, NetworkOp, const NodeTable &)> fn);

} // namespace mlir::nnet3

#endif // NNET3_COMPILE_FOREACHREQUEST_H
