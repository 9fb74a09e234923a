//===- StageModels.h - Components with grid-wide phases ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_ARITHMETIC_STAGES_STAGEMODELS_H
#define NNET3_ARITHMETIC_STAGES_STAGEMODELS_H

#include "Forward/KernelModels.h"

#include "nnet3/Arithmetic/StagedInterface.h"
#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"

namespace mlir::nnet3 {

void attachAttentionStages(MLIRContext &context);
void attachBatchNormStages(MLIRContext &context);
void attachDropoutStages(MLIRContext &context);
void attachMaskStages(MLIRContext &context);

} // namespace mlir::nnet3

#endif // NNET3_ARITHMETIC_STAGES_STAGEMODELS_H
