//===- StageModels.h - What components of several stages share --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_ARITHMETIC_STAGES_STAGEMODELS_H
#define NNET3_ARITHMETIC_STAGES_STAGEMODELS_H

#include "Forward/KernelModels.h"

#include "nnet3/Arithmetic/StagedInterface.h"
#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"

namespace mlir::nnet3 {

/// A component of which a backward pass computes one row of the derivative of
/// the input after the other. Other than a BackwardKernelInterface the code may
/// read tables and other rows. `Model` has
/// emitRow(Operation *, StageEmission &, const StagedCommand &, Value row).
template <typename Model, typename OpTy>
struct BackwardRowStage
    : public StagedKernelInterface::ExternalModel<Model, OpTy> {
  bool hasStages(Operation *, bool isBackward) const { return isBackward; }
  SmallVector<KernelStage> getStages(Operation *op,
                                     const StagedCommand &command) const {
    if (!command.hasInputDerivative)
      return {};
    return {{command.inputRows,
             cast<ComponentOpInterface>(op).getComponentInputDim(),
             {}}};
  }
  void emitStage(Operation *op, StageEmission &stage,
                 const StagedCommand &command, unsigned, Value row) const {
    stage.setRow(row);
    static_cast<const Model *>(this)->emitRow(op, stage, command, row);
  }
};

void attachAttentionStages(MLIRContext &context);
void attachBatchNormStages(MLIRContext &context);
void attachDropoutStages(MLIRContext &context);
void attachGruStages(MLIRContext &context);
void attachMaskStages(MLIRContext &context);
void attachStatisticsStages(MLIRContext &context);

} // namespace mlir::nnet3

#endif // NNET3_ARITHMETIC_STAGES_STAGEMODELS_H
