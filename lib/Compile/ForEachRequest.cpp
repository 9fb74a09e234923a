//===- ForEachRequest.cpp - The requests of a module ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Compile/ForEachRequest.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::nnet3;

LogicalResult mlir::nnet3::forEachRequest(
    ModuleOp module, SymbolTable &symbols,
    function_ref<LogicalResult(RequestOp, NetworkOp, const NodeTable &)> fn) {
  llvm::MapVector<NetworkOp, NodeTable> tables;
  SmallVector<RequestOp> requests(module.getOps<RequestOp>());
  for (RequestOp request : requests) {
    auto network = symbols.lookup<NetworkOp>(request.getNetwork());
    auto entry = tables.find(network);
    if (entry == tables.end()) {
      FailureOr<NodeTable> nodes = NodeTable::get(network);
      if (failed(nodes))
        return failure();
      entry = tables.insert({network, std::move(*nodes)}).first;
    }
    if (failed(fn(request, network, entry->second)))
      return failure();
  }
  return success();
}
