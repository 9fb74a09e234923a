//===- ComponentStatistics.h - Statistics that components keep --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_ARITHMETIC_STATISTICS_COMPONENTSTATISTICS_H
#define NNET3_ARITHMETIC_STATISTICS_COMPONENTSTATISTICS_H

#include "nnet3/Arithmetic/ColumnSums.h"
#include "nnet3/Arithmetic/StatisticsInterface.h"
#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"

namespace mlir::nnet3 {

/// What self-repair does in half of the commands is twice as much.
constexpr float kRepairProbability = 0.5f;

/// What begins the scratch memory of statistics: a flag, whether what follows
/// is of any use.
void storeFlag(StageEmission &stage, int64_t place, Value flag);
Value loadFlag(StageEmission &stage, int64_t place);
/// `count` in double precision where `condition`, else 0.
Value countIf(StageEmission &stage, Value condition, int64_t count);
/// Adds `sum`, a float, to a statistic where `condition`.
void addSumIf(StageEmission &stage, Value condition, unsigned statistic,
              Value sum, Value place);

/// The sum over rows of numbers of the scratch memory, from `place` on, in
/// double precision.
Value addRows(StageEmission &stage, int64_t rows, int64_t place);
/// Whether `a` is above `b`, as 1 or 0, to `place` of the scratch memory.
void storeIfGreater(StageEmission &stage, Value a, float b, Value place);

void attachAttentionStatistics(MLIRContext &context);
void attachBatchNormStatistics(MLIRContext &context);
void attachClipGradientStatistics(MLIRContext &context);
void attachGruStatistics(MLIRContext &context);
void attachLstmStatistics(MLIRContext &context);
void attachNonlinearStatistics(MLIRContext &context);
void attachTruncationStatistics(MLIRContext &context);

} // namespace mlir::nnet3

#endif // NNET3_ARITHMETIC_STATISTICS_COMPONENTSTATISTICS_H
