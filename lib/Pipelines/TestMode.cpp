//===- TestMode.cpp - Models in test mode ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Pipelines/TestMode.h"
#include "nnet3/Dialect/Nnet3/Analysis/TestMode.h"
#include "nnet3/Dialect/Nnet3/Transforms/Passes.h"

#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace mlir::nnet3;

void mlir::nnet3::noteTestMode(NetworkOp network, StringRef model) {
  const auto count =
      llvm::count_if(network.getBody().front(),
                     [](Operation &op) { return isInTrainingMode(&op); });
  if (count > 0)
    llvm::errs() << "note: " << model << " has " << count
                 << (count == 1 ? " component" : " components")
                 << " in training mode, which " << (count == 1 ? "runs" : "run")
                 << " in test mode; --train-mode keeps the mode\n";
}

LogicalResult mlir::nnet3::setTestMode(NetworkOp network, StringRef model) {
  noteTestMode(network, model);
  PassManager passes(network.getContext(), network.getOperationName());
  passes.addPass(createNnet3SetTestMode());
  return passes.run(network);
}
