//===- BackwardKernel.cpp - Backward passes of components -----------------===//

#include "BackwardKernel.h"
#include "DeviceLoops.h"
#include "StageOperands.h"

using namespace mlir;
using namespace mlir::nnet3;

// Interfaces are handles, whose methods are not const.

unsigned BackwardKernel::getNumVectors() const {
  BackwardKernelInterface model = component;
  return model ? model.getNumBackwardVectors() : 0;
}

OperandShapes BackwardKernel::getOperands() const {
  OperandShapes shapes;
  shapes.inputStride = inputStride;
  shapes.outputStride = outputStride;
  shapes.derivStride = derivStride;
  shapes.destStride = destStride;
  shapes.adds = adds;
  shapes.numVectors = getNumVectors();
  return shapes;
}

void BackwardKernel::emit(func::FuncOp function) const {
  OpBuilder builder(function.getContext());
  builder.setInsertionPointToStart(function.addEntryBlock());
  VectorEmitter e(builder, function.getLoc(), /*scalars=*/true);
  StageOperands emission(getOperands(), e, function);
  BackwardKernelInterface model = component;
  if (!sum) {
    e.parallel(e.index(0), e.index(rows), [&](ValueRange at) {
      emission.setRow(at[0]);
      model.emitBackwardRow(emission);
    });
  } else if (isApart) {
    e.parallel(e.index(0), e.index(rows), [&](ValueRange at) {
      emission.setRow(at[0]);
      emission.forEach(columns, [&](Value column) {
        emission.store(model.emitSum(emission, *sum, column), column);
      });
    });
  } else {
    e.parallel(e.index(0), e.index(columns), [&](ValueRange at) {
      Value column = at[0];
      Value total = emission.sum(rows, [&](Value row) {
        emission.setRow(row);
        return model ? model.emitSum(emission, *sum, column)
                     : emission.loadDerivative(column);
      });
      emission.forEach(1, [&](Value) { emission.storeSum(total, column); });
    });
  }
  func::ReturnOp::create(builder, function.getLoc());
  setThreads(function, sum && !isApart ? rows : columns);
}
