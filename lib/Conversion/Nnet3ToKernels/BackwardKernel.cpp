//===- BackwardKernel.cpp - Backward passes of components -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BackwardKernel.h"
#include "StageOperands.h"
#include "nnet3/Conversion/KernelToThreads/DeviceLoops.h"

using namespace mlir;
using namespace mlir::nnet3;

// Interfaces are handles, whose methods are not const.

unsigned BackwardKernel::getNumVectors() const {
  BackwardKernelInterface model = component;
  return model.getNumBackwardVectors();
}

OperandShapes BackwardKernel::getOperands() const {
  OperandShapes shapes;
  shapes.inputStride = inputStride;
  shapes.outputStride = outputStride;
  shapes.derivStride = derivStride;
  shapes.destStride = destStride;
  shapes.adds = adds;
  shapes.numVectors = getNumVectors();
  shapes.hasRepairs = hasRepairs;
  return shapes;
}

void BackwardKernel::emit(kernel::LaunchOp launch) const {
  OpBuilder builder = OpBuilder::atBlockEnd(&launch.getBody().front());
  VectorEmitter e(builder, launch.getLoc(), /*scalars=*/true);
  StageOperands emission(getOperands(), e, launch);
  BackwardKernelInterface model = component;
  e.parallel(e.index(0), e.index(rows), [&](ValueRange at) {
    emission.setRow(at[0]);
    if (!sum)
      return model.emitBackwardRow(emission);
    emission.forEach(columns, [&](Value column) {
      emission.store(model.emitSum(emission, *sum, column), column);
    });
  });
  setThreads(launch, columns);
}
