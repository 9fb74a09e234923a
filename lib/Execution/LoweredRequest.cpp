//===- LoweredRequest.cpp - Lowering a request to code --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LoweredRequest.h"

#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace mlir::nnet3;

FailureOr<OwningOpRef<ModuleOp>>
mlir::nnet3::lowerRequest(NetworkOp network, RequestOp request,
                          llvm::function_ref<void(OpPassManager &)> addPasses) {
  OwningOpRef<ModuleOp> module = ModuleOp::create(request.getLoc());
  OpBuilder builder = OpBuilder::atBlockEnd(module->getBody());
  builder.clone(*network);
  builder.clone(*request);
  PassManager passes(module->getContext());
  // The verifier would take longer than some of the passes.
  passes.enableVerifier(false);
  addPasses(passes);
  if (failed(passes.run(*module)))
    return failure();
  return module;
}
