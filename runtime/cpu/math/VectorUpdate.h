//===- VectorUpdate.h - Updates of vector parameters ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For components whose parameters are vectors that repeat over the blocks of a
// row: each block of each row has a derivative of the vector.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_RUNTIME_CPU_MATH_VECTORUPDATE_H
#define NNET3_RUNTIME_CPU_MATH_VECTORUPDATE_H

#include "core/Component.h"

#include <memory>

namespace nnet3 {
namespace rt {

/// Makes a plan with a scratch buffer of the backward pass for \p more floats,
/// followed by rowsInScratch().
std::unique_ptr<CommandPlan> planVectorUpdate(int32_t rows, int32_t dim,
                                              int32_t blockDim, uint64_t more,
                                              ErrorSink &errors);

/// Returns the block view of a contiguous matrix of the size of \p like at
/// \p scratch.
MatrixView rowsInScratch(void *scratch, ConstMatrixView like, int32_t blockDim);

/// Adds the sum of \p derivs, times the learning rate, to parameter \p index.
/// If
/// \p state has a preconditioner \p index and is not a gradient, first
/// preconditions \p derivs in place.
void updateVector(ComponentState &state, size_t index, MatrixView derivs);

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_CPU_MATH_VECTORUPDATE_H
