//===- Clipping.h - What clipping and its statistics share ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_ARITHMETIC_STAGES_CLIPPING_H
#define NNET3_ARITHMETIC_STAGES_CLIPPING_H

#include "nnet3/Arithmetic/StageEmission.h"

#include "llvm/ADT/APFloat.h"

namespace mlir::nnet3 {

/// The 2-norm of a row of the derivative of the output.
Value emitNorm(StageEmission &stage, int64_t dim);

/// The sum over rows of numbers of the scratch memory, from `place` on, in
/// double precision.
Value addRows(StageEmission &stage, int64_t rows, int64_t place);
/// Whether `a` is above `b`, as 1 or 0, to `place` of the scratch memory.
void storeIfGreater(StageEmission &stage, Value a, float b, Value place);

/// Whether each row is at a boundary where BackpropTruncation may zero
/// derivatives (spec: components.md 6.16).
SmallVector<int64_t> getBoundaries(const StagedCommand &command);

/// A threshold that is not positive is none.
float getThreshold(APFloat threshold);

} // namespace mlir::nnet3

#endif // NNET3_ARITHMETIC_STAGES_CLIPPING_H
