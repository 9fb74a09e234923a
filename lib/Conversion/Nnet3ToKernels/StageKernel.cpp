//===- StageKernel.cpp - Stages of components -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "StageKernel.h"
#include "nnet3/Conversion/KernelToThreads/DeviceLoops.h"

using namespace mlir;
using namespace mlir::nnet3;

void StageKernel::emit(kernel::LaunchOp launch) const {
  OpBuilder builder = OpBuilder::atBlockEnd(&launch.getBody().front());
  VectorEmitter e(builder, launch.getLoc(), /*scalars=*/true);
  StageOperands emission(operands, e, launch);
  // Interfaces are handles, whose methods are not const.
  StagedKernelInterface model = component;
  StatisticsKernelInterface keeper = statistics;
  e.parallel(e.index(0), e.index(shape.items), [&](ValueRange item) {
    if (keeper)
      keeper.emitStatisticsStage(emission, command, stage, item[0]);
    else
      model.emitStage(emission, command, stage, item[0]);
  });
  setThreads(launch, shape.threads);
}
