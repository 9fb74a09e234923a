//===- Pipeline.cpp - Functions of kernels as LLVM dialect ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Conversion/KernelsToLLVM/Pipeline.h"
#include "nnet3/Conversion/KernelsToLLVM/Passes.h"
#include "nnet3/Conversion/ModulePipeline.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVMPass.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVMPass.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

void mlir::nnet3::addKernelsToLLVMPasses(OpPassManager &manager) {
  manager.addPass(createNnet3ApproximateMath());
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
  manager.addPass(createLoopInvariantCodeMotionPass());
  manager.addPass(createNnet3HoistAllocations());
  manager.addPass(createSCFToControlFlowPass());
  manager.addPass(createConvertVectorToLLVMPass());
  manager.addPass(createConvertMathToLLVMPass());
  manager.addPass(createUBToLLVMConversionPass());
  FinalizeMemRefToLLVMConversionPassOptions memory;
  manager.addPass(createFinalizeMemRefToLLVMConversionPass(memory));
  manager.addPass(createArithToLLVMConversionPass());
  manager.addPass(createConvertIndexToLLVMPass());
  manager.addPass(createConvertControlFlowToLLVMPass());
  ConvertFuncToLLVMPassOptions functions;
  functions.useBarePtrCallConv = true;
  manager.addPass(createConvertFuncToLLVMPass(functions));
  manager.addPass(createReconcileUnrealizedCastsPass());
  manager.addPass(createNnet3KeepCalls());
}

void mlir::nnet3::registerKernelsToLLVMPipeline() {
  registerModulePipeline("nnet3-kernels-to-llvm",
                         "functions of kernels as LLVM dialect",
                         addKernelsToLLVMPasses);
}
