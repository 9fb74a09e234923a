//===- SumKernel.cpp - Sums over rows in backward passes ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SumKernel.h"
#include "nnet3/Conversion/KernelToThreads/DeviceLoops.h"

using namespace mlir;
using namespace mlir::nnet3;

ColumnSums SumKernel::getSums() const {
  return ColumnSums(rows, columns, sums.size()).foldTo(width);
}

// Interfaces are handles, whose methods are not const.

OperandShapes SumKernel::getOperands() const {
  BackwardKernelInterface model = component;
  OperandShapes shapes;
  shapes.inputStride = inputStride;
  shapes.outputStride = outputStride;
  shapes.derivStride = derivStride;
  shapes.adds = adds;
  shapes.numVectors = model ? model.getNumBackwardVectors() : 0;
  shapes.numGradients = sums.size();
  shapes.hasMemory = true;
  shapes.hasRepairs = hasRepairs;
  return shapes;
}

void SumKernel::emit(kernel::LaunchOp launch) const {
  OpBuilder builder = OpBuilder::atBlockEnd(&launch.getBody().front());
  VectorEmitter e(builder, launch.getLoc(), /*scalars=*/true);
  StageOperands emission(getOperands(), e, launch);
  BackwardKernelInterface model = component;
  auto terms = [&](Value, Value column) {
    return llvm::map_to_vector(sums, [&](unsigned sum) {
      return model ? model.emitSum(emission, sum, column)
                   : emission.loadDerivative(column);
    });
  };
  auto finish = [&](Value column, ValueRange totals) {
    for (auto [number, total] : llvm::enumerate(totals))
      emission.storeSum(number, total, column);
  };
  const ColumnSums all = getSums();
  const KernelStage shape = all.getStages()[stage];
  e.parallel(e.index(0), e.index(shape.items), [&](ValueRange item) {
    all.emit(emission, stage, item[0], terms, finish);
  });
  setThreads(launch, shape.threads);
}
