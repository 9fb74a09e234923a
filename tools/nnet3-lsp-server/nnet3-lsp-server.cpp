//===- nnet3-lsp-server.cpp - Language server for .mlir files -------------===//

#include "nnet3/Dialect/Nnet3/IR/Nnet3Dialect.h"
#include "nnet3/Pipelines/CommandLine.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"

int main(int argc, char **argv) {
  nnet3::prepareCommandLine();
  mlir::DialectRegistry registry;
  registry.insert<mlir::nnet3::Nnet3Dialect, mlir::memref::MemRefDialect,
                  mlir::arith::ArithDialect, mlir::func::FuncDialect,
                  mlir::gpu::GPUDialect, mlir::LLVM::LLVMDialect,
                  mlir::math::MathDialect, mlir::NVVM::NVVMDialect,
                  mlir::scf::SCFDialect, mlir::vector::VectorDialect>();
  return mlir::failed(mlir::MlirLspServerMain(argc, argv, registry));
}
