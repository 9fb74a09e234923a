//===- GpuToNVVM.cpp - GPU functions as NVVM dialect ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The upstream pass convert-gpu-to-nvvm lowers functions of the math dialect to
// calls of CUDA's device library, a file that users may not have. This pass
// lowers them to LLVM intrinsics, for which the NVPTX backend has instructions.
//
//===----------------------------------------------------------------------===//

#include "nnet3/Conversion/KernelsToGpu/Passes.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/GPUCommon/GPUCommonPass.h"
#include "mlir/Conversion/GPUToNVVM/GPUToNVVMPass.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Transforms/DialectConversion.h"

namespace mlir::nnet3 {
#define GEN_PASS_DEF_NNET3CONVERTGPUTONVVM
#include "nnet3/Conversion/KernelsToGpu/Passes.h.inc"
} // namespace mlir::nnet3

using namespace mlir;

namespace {
struct GpuToNVVM
    : public mlir::nnet3::impl::Nnet3ConvertGpuToNVVMBase<GpuToNVVM> {
  void runOnOperation() override;
};
} // namespace

void GpuToNVVM::runOnOperation() {
  LowerToLLVMOptions options(&getContext());
  options.useBarePtrCallConv = true;
  LLVMTypeConverter converter(&getContext(), options);
  configureGpuToNVVMTypeConverter(converter);
  RewritePatternSet patterns(&getContext());
  // These have a higher benefit than the patterns of the device library.
  populateMathToLLVMConversionPatterns(converter, patterns,
                                       /*approximateLog1p=*/true,
                                       /*benefit=*/10);
  arith::populateArithToLLVMConversionPatterns(converter, patterns);
  cf::populateControlFlowToLLVMConversionPatterns(converter, patterns);
  populateFuncToLLVMConversionPatterns(converter, patterns);
  populateVectorToLLVMConversionPatterns(converter, patterns);
  populateFinalizeMemRefToLLVMConversionPatterns(converter, patterns);
  populateGpuToNVVMConversionPatterns(converter, patterns);
  LLVMConversionTarget target(getContext());
  target.addLegalDialect<NVVM::NVVMDialect>();
  target.addIllegalDialect<gpu::GPUDialect>();
  target.addLegalOp<gpu::GPUModuleOp>();
  if (failed(
          applyPartialConversion(getOperation(), target, std::move(patterns))))
    signalPassFailure();
}
