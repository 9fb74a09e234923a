//===- VectorUpdate.h - Updating parameters that are vectors ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Of components whose parameters are vectors that repeat over the blocks of a
// row: each block of each row gives one derivative of the vector.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_RUNTIME_CPU_MATH_VECTORUPDATE_H
#define NNET3_RUNTIME_CPU_MATH_VECTORUPDATE_H

#include "core/Component.h"

#include <memory>

namespace nnet3 {
namespace rt {

/// A plan with scratch memory in the backward pass for rowsInScratch(), and
/// for \p more floats before that.
std::unique_ptr<CommandPlan> planVectorUpdate(int32_t rows, int32_t dim,
                                              int32_t blockDim, uint64_t more,
                                              ErrorSink &errors);

/// The block view of a contiguous matrix of the size of \p like at \p scratch.
MatrixView rowsInScratch(void *scratch, ConstMatrixView like, int32_t blockDim);

/// Adds the sum of \p derivs, times the learning rate, to parameter \p index.
/// Where \p state has a preconditioner \p index and is not a gradient, \p
/// derivs are preconditioned, in place, before.
void updateVector(ComponentState &state, size_t index, MatrixView derivs);

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_CPU_MATH_VECTORUPDATE_H
