//===- StatisticsConverter.h - Statistics on a device -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_NNET3TOKERNELS_TRAINING_STATISTICSCONVERTER_H
#define NNET3_CONVERSION_NNET3TOKERNELS_TRAINING_STATISTICSCONVERTER_H

#include "BackwardBuilder.h"

namespace mlir::nnet3 {

/// Creates launches that accumulate the statistics of components.
class StatisticsConverter {
public:
  StatisticsConverter(CommandContext &context, StageConverter &stages,
                      BackwardBuilder &builder)
      : context(context), stages(stages), builder(builder) {}

  void add(StoreStatsOp op);
  /// Adds the statistics that are computed before or after a backward pass.
  void addBefore(BackpropOp op);
  void addAfter(BackpropOp op) { add(op, StatisticsPhase::After); }

private:
  void add(BackpropOp op, StatisticsPhase phase);
  void add(Operation *op, StatisticsKernelInterface keeper,
           StagedCommand command, Value memo, RowOperands operands);

  CommandContext &context;
  StageConverter &stages;
  BackwardBuilder &builder;
  /// Components that have already run backward.
  DenseSet<Operation *> begun;
};

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_NNET3TOKERNELS_TRAINING_STATISTICSCONVERTER_H
