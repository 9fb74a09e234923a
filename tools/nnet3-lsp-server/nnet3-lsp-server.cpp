//===- nnet3-lsp-server.cpp - Language server for .mlir files -------------===//

#include "nnet3/Dialect/Nnet3/IR/Nnet3Dialect.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  registry.insert<mlir::nnet3::Nnet3Dialect, mlir::memref::MemRefDialect>();
  return mlir::failed(mlir::MlirLspServerMain(argc, argv, registry));
}
