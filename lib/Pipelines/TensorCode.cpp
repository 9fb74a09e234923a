//===- TensorCode.cpp - From computations to tensors ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Pipelines/TensorCode.h"
#include "nnet3/Conversion/Nnet3ToLinalg/Passes.h"
#include "nnet3/Fusion/Passes.h"
#include "nnet3/Pipelines/NativeCode.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::nnet3;

void mlir::nnet3::addTensorPasses(OpPassManager &module, bool testMode) {
  // Without loops, and with all sequences of a request in one computation, as
  // for devices.
  addCommandPasses(module, Stage::Optimized, testMode, Precision::F32,
                   /*device=*/true);
  OpPassManager &computations = module.nest<ComputationOp>();
  computations.addPass(createNnet3ExpandComposites({/*device=*/true}));
  computations.addPass(createNnet3FuseAffine());
  module.addPass(createConvertNnet3ToLinalg());
  module.addPass(createCanonicalizerPass());
  module.addPass(createCSEPass());
}

void mlir::nnet3::addLinalgPasses(OpPassManager &module, bool testMode) {
  addTensorPasses(module, testMode);
  module.addPass(createNnet3DecomposeConcats());
  module.addNestedPass<func::FuncOp>(createConvertElementwiseToLinalgPass());
  module.addPass(createCanonicalizerPass());
  module.addPass(createCSEPass());
}
