//===- RecordPadding.cpp - Record which requests may be padded ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Compile/Padding.h"
#include "nnet3/Compile/Passes.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/SymbolTable.h"

namespace mlir::nnet3 {
#define GEN_PASS_DEF_NNET3RECORDPADDING
#include "nnet3/Compile/Passes.h.inc"
} // namespace mlir::nnet3

using namespace mlir;
using namespace mlir::nnet3;

namespace {
struct RecordPadding
    : public nnet3::impl::Nnet3RecordPaddingBase<RecordPadding> {
  void runOnOperation() override {
    for (RequestOp request : getOperation().getOps<RequestOp>())
      if (request.isForward() && failed(record(request)))
        return signalPassFailure();
  }

  LogicalResult record(RequestOp request) {
    auto network = SymbolTable::lookupNearestSymbolFrom<NetworkOp>(
        request, request.getNetworkAttr());
    auto nodes = NodeTable::get(network);
    if (failed(nodes))
      return failure();
    auto minOutputs = findMinOutputs(request, *nodes);
    if (failed(minOutputs))
      return failure();
    request.setMinOutputs(*minOutputs);
    return success();
  }
};
} // namespace
