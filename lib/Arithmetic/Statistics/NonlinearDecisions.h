//===- NonlinearDecisions.h - Sampling of nonlinearities --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spec: components.md 3.2. The scratch memory holds flags whether the command's
// sums are kept and whether it is repaired, and the amount for each column.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_ARITHMETIC_STATISTICS_NONLINEARDECISIONS_H
#define NNET3_ARITHMETIC_STATISTICS_NONLINEARDECISIONS_H

#include "ComponentStatistics.h"

namespace mlir::nnet3 {

/// Same order as in the runtime's NonlinearBase.
enum NonlinearStatistic {
  kValueSum,
  kDerivSum,
  kCount,
  kOderivSumsq,
  kOderivCount,
  kNumRepaired,
  kNumProcessed
};

/// Positions of random numbers of a backward pass.
enum NonlinearDraw { kStatsDraw, kRepairDraw };

enum NonlinearScratch { kIsKept, kIsRepaired, kAmounts };

/// Properties of a type of nonlinearity.
struct NonlinearKind {
  /// Whether values, and derivatives of the function, are accumulated.
  bool keepsValues, keepsDerivs;
  /// Whether the backward pass has statistics only if the input derivative is
  /// computed.
  bool needsInputDerivative;
  double lower, upper; ///< averages between these need no repair
  bool isRelu;
};

/// Statistics code for a nonlinearity of any type.
struct Nonlinear {
  template <typename OpTy>
  Nonlinear(OpTy op, const NonlinearKind &kind, const StagedCommand &command)
      : kind(kind), dim(op.getDim()),
        blockDim(kind.isRelu ? op.getBlockDim().value_or(op.getDim())
                             : op.getDim()),
        repairScale(op.getSelfRepairScale().convertToFloat()),
        lower(kind.lower), upper(kind.upper), rows(command.outputRows),
        command(command),
        sums(rows, dim,
             command.phase == StatisticsPhase::Forward && kind.keepsDerivs ? 2
                                                                           : 1,
             kAmounts + dim) {
    if (op.getSelfRepairLowerThreshold())
      lower = op.getSelfRepairLowerThreshold()->convertToFloat();
    if (op.getSelfRepairUpperThreshold())
      upper = op.getSelfRepairUpperThreshold()->convertToFloat();
  }

  bool repairs() const { return kind.keepsDerivs && repairScale != 0; }
  SmallVector<KernelStage> getStages() const;
  void decideForward(StageEmission &stage) const;
  void decideBackward(StageEmission &stage) const;
  Value getAmount(StageEmission &stage, Value column) const;
  int64_t getScratchSize() const {
    return kAmounts + dim + sums.getScratchSize();
  }

  const NonlinearKind &kind;
  int64_t dim, blockDim;
  float repairScale;
  double lower, upper;
  int64_t rows;
  const StagedCommand &command;
  ColumnSums sums;
};

} // namespace mlir::nnet3

#endif // NNET3_ARITHMETIC_STATISTICS_NONLINEARDECISIONS_H
