//===- StageKernel.h - Stages of components ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_NNET3TOKERNELS_STAGEKERNEL_H
#define NNET3_CONVERSION_NNET3TOKERNELS_STAGEKERNEL_H

#include "StageOperands.h"

#include "nnet3/Arithmetic/StagedInterface.h"
#include "nnet3/Arithmetic/StatisticsInterface.h"

namespace mlir::nnet3 {

/// One stage of a component's pass, or of its statistics, of which a block of
/// threads computes an item.
struct StageKernel {
  StagedKernelInterface component;      ///< null for statistics
  StatisticsKernelInterface statistics; ///< null for a pass
  StagedCommand command;
  unsigned stage;
  KernelStage shape;
  OperandShapes operands;

  /// Creates the body of `launch`; its arguments are those of StageOperands.
  void emit(kernel::LaunchOp launch) const;
};

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_NNET3TOKERNELS_STAGEKERNEL_H
