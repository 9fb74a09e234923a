//===- LaunchLowering.cpp - Launches as loops of threads ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Lowerings.h"

#include "nnet3/Conversion/KernelToVector/InlineLaunch.h"

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::kernel;

static LogicalResult lowerLaunch(LaunchOp op, PatternRewriter &rewriter) {
  op->getParentOp()->setAttr(BlockAttr::name,
                             rewriter.getAttr<BlockAttr>(op.getThreads(),
                                                         /*warps=*/false,
                                                         /*form=*/FormAttr()));
  return inlineLaunch(op, rewriter);
}

void mlir::nnet3::kernel::addLaunchLowering(RewritePatternSet &patterns) {
  patterns.add(lowerLaunch);
}
