//===- TestModes.cpp - Components in test mode ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Tools/Common/TestModes.h"
#include "nnet3/Dialect/Nnet3/Analysis/TestMode.h"
#include "nnet3/Surgery/Passes.h"

#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::nnet3;

static bool isRandom(ComponentOpInterface component) {
  return has(component.getComponentProperties(), ComponentProperties::Random);
}

void mlir::nnet3::setTestModes(NetworkOp network, bool batchnorm, bool random) {
  for (auto component : network.getOps<ComponentOpInterface>())
    if (isInTrainingMode(component) &&
        (isRandom(component) ? random : batchnorm))
      component->setAttr(kTestModeAttr,
                         BoolAttr::get(component.getContext(), true));
}

bool mlir::nnet3::hasBatchNorm(NetworkOp network) {
  auto name = StringAttr::get(network.getContext(), kTestModeAttr);
  return llvm::any_of(network.getOps<ComponentOpInterface>(),
                      [&](ComponentOpInterface component) {
                        return llvm::is_contained(
                                   component->getName().getAttributeNames(),
                                   name) &&
                               !isRandom(component);
                      });
}

LogicalResult mlir::nnet3::collapseModel(NetworkOp network) {
  PassManager passes(network.getContext(), network.getOperationName());
  passes.addPass(createNnet3CollapseModel());
  return passes.run(network);
}
