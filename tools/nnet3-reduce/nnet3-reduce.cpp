//===- nnet3-reduce.cpp - Shrink a module that shows a fault --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Pipelines/StageDialects.h"
#include "nnet3/Tools/Common/CommandLine.h"
#include "nnet3/Tools/RegisterPasses.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Tools/mlir-reduce/MlirReduceMain.h"

int main(int argc, char **argv) {
  mlir::nnet3::prepareCommandLine();
  mlir::DialectRegistry registry;
  mlir::nnet3::registerStageDialects(registry);
  mlir::nnet3::registerPasses(registry);
  mlir::MLIRContext context(registry);
  return mlir::failed(mlir::mlirReduceMain(argc, argv, context));
}
