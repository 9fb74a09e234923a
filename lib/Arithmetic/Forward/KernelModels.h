//===- KernelModels.h - Parts of the registration ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_ARITHMETIC_FORWARD_KERNELMODELS_H
#define NNET3_ARITHMETIC_FORWARD_KERNELMODELS_H

#include "nnet3/Arithmetic/PrecomputedRows.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"

namespace mlir::nnet3 {
void attachAffineModels(MLIRContext &context);
void attachConvolutionModels(MLIRContext &context);
void attachElementwiseModels(MLIRContext &context);
void attachBlockModels(MLIRContext &context);
void attachRowModels(MLIRContext &context);
void attachPoolModels(MLIRContext &context);
void attachConstantModels(MLIRContext &context);
void attachGruModels(MLIRContext &context);
void attachStatisticsModels(MLIRContext &context);
void attachAttentionModel(MLIRContext &context);
void attachClippingModels(MLIRContext &context);
void attachScaleModels(MLIRContext &context);
void attachNonlinearModels(MLIRContext &context);

} // namespace mlir::nnet3

#endif // NNET3_ARITHMETIC_FORWARD_KERNELMODELS_H
