//===- ComponentStatistics.h - Statistics that components keep --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_ARITHMETIC_STATISTICS_COMPONENTSTATISTICS_H
#define NNET3_ARITHMETIC_STATISTICS_COMPONENTSTATISTICS_H

#include "nnet3/Arithmetic/ColumnSums.h"
#include "nnet3/Arithmetic/StatisticsInterface.h"
#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"

namespace mlir::nnet3 {

/// Probability of self-repair in a command; its strength is divided by it.
constexpr float kRepairProbability = 0.5f;

/// Stores the flag at `place` of the scratch memory that tells whether the data
/// after it is used.
void storeFlag(StageEmission &stage, int64_t place, Value flag);
Value loadFlag(StageEmission &stage, int64_t place);
/// Returns `count` in double precision if `condition`, else 0.
Value countIf(StageEmission &stage, Value condition, int64_t count);

/// Sums one number per row in double precision; the numbers start at `place` of
/// the scratch memory.
Value addRows(StageEmission &stage, int64_t rows, int64_t place);
/// Stores 1 if `a` > `b`, else 0, at `place` of the scratch memory.
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
