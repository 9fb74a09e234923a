//===- nnet3-lsp-server.cpp - Language server for .mlir files -------------===//

#include "nnet3/Dialect/Nnet3/IR/Nnet3Dialect.h"
#include "nnet3/Pipelines/CommandLine.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"

int main(int argc, char **argv) {
  nnet3::prepareCommandLine();
  mlir::DialectRegistry registry;
  registry.insert<mlir::nnet3::Nnet3Dialect, mlir::memref::MemRefDialect>();
  return mlir::failed(mlir::MlirLspServerMain(argc, argv, registry));
}
