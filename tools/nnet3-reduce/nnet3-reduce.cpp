//===- nnet3-reduce.cpp - Shrink a module that shows a fault --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Fusion/KernelInterfaces.h"
#include "nnet3/Pipelines/CommandLine.h"
#include "nnet3/Pipelines/StageDialects.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Tools/mlir-reduce/MlirReduceMain.h"

int main(int argc, char **argv) {
  nnet3::prepareCommandLine();
  mlir::DialectRegistry registry;
  nnet3::registerStageDialects(registry);
  mlir::nnet3::registerKernelModels(registry);
  mlir::MLIRContext context(registry);
  return mlir::failed(mlir::mlirReduceMain(argc, argv, context));
}
