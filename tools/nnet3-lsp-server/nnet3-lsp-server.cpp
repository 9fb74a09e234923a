//===- nnet3-lsp-server.cpp - Language server for .mlir files -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Pipelines/StageDialects.h"
#include "nnet3/Tools/Common/CommandLine.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"

int main(int argc, char **argv) {
  mlir::nnet3::prepareCommandLine();
  mlir::DialectRegistry registry;
  mlir::nnet3::registerStageDialects(registry);
  return mlir::failed(mlir::MlirLspServerMain(argc, argv, registry));
}
