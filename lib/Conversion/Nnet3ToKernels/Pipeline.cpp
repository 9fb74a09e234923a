//===- Pipeline.cpp - Computations as functions of kernels ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Conversion/Nnet3ToKernels/Pipeline.h"

#include "nnet3/Conversion/KernelToThreads/Passes.h"
#include "nnet3/Conversion/KernelToVector/Passes.h"
#include "nnet3/Dialect/Kernel/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

void mlir::nnet3::addKernelPasses(OpPassManager &module,
                                  const Nnet3ConvertToKernelsOptions &options) {
  module.addPass(createNnet3ConvertToKernels(options));
  if (options.training) {
    module.addPass(kernel::createKernelPackMatmuls());
    module.addNestedPass<func::FuncOp>(kernel::createKernelFuseMaps());
    module.addNestedPass<func::FuncOp>(kernel::createKernelFuseEpilogues());
    module.addNestedPass<func::FuncOp>(kernel::createKernelSplitGemms());
    module.addNestedPass<func::FuncOp>(kernel::createKernelPackByPanel());
    module.addPass(kernel::createKernelOutline());
    module.addPass(kernel::createKernelSplitAtSteps());
    return;
  }
  if (options.device) {
    module.addPass(kernel::createKernelInferAlignment());
    module.addNestedPass<func::FuncOp>(kernel::createKernelFuseMaps());
    module.addPass(kernel::createKernelSplitReductions());
  } else {
    module.addNestedPass<func::FuncOp>(kernel::createKernelSplitGemms());
  }
  module.addPass(kernel::createKernelOutline());
}
