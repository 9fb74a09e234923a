//===- KernelModels.h - Parts of the registration ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_ARITHMETIC_FORWARD_KERNELMODELS_H
#define NNET3_ARITHMETIC_FORWARD_KERNELMODELS_H

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
void attachBackwardModels(MLIRContext &context);
void attachLstmBackwardModel(MLIRContext &context);
void attachConstantBackwardModels(MLIRContext &context);

/// The values of tensor `name` of `op`, repeated until there are `size`; fails
/// if it has none in memory.
FailureOr<SmallVector<float>> getTensorVector(Operation *op, StringRef name,
                                              int64_t size);

/// A number, for every element of what `x` has.
Value createSplat(OpBuilder &builder, Location loc, Value x, float value);

/// 1 / (1 + exp(-x)).
Value createSigmoid(OpBuilder &builder, Location loc, Value x);

} // namespace mlir::nnet3

#endif // NNET3_ARITHMETIC_FORWARD_KERNELMODELS_H
