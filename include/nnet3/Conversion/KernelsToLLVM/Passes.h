//===- Passes.h - From kernels to the LLVM dialect --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_KERNELSTOLLVM_PASSES_H
#define NNET3_CONVERSION_KERNELSTOLLVM_PASSES_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::nnet3 {

#define GEN_PASS_DECL
#include "nnet3/Conversion/KernelsToLLVM/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "nnet3/Conversion/KernelsToLLVM/Passes.h.inc"

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_KERNELSTOLLVM_PASSES_H
