//===- OrthonormalConstraint.h - Nearly orthonormal rows --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spec: execution.md 3.2. Povey et al.: "Semi-orthogonal low-rank matrix
// factorization for deep neural networks", Interspeech 2018.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_RUNTIME_TRAIN_ORTHONORMALCONSTRAINT_H
#define NNET3_RUNTIME_TRAIN_ORTHONORMALCONSTRAINT_H

#include "nnet3/runtime/Model.h"

namespace nnet3 {
namespace rt {

/// Moves \p matrix, contiguous, towards a multiple of a matrix with orthonormal
/// rows (or columns, if these are fewer). The multiple is \p target if above 0;
/// if below 0, it is chosen to change the matrix least.
void constrainOrthonormal(MatrixView matrix, float target);

/// The speed of the update, 0 for no update, and the square of the target.
struct ConstraintStep {
  double speed = 0.125;
  double squaredScale = 0;
};
/// Computes the step of a matrix M with \p rows rows, at most as many as
/// columns, from the \p trace of P = M M^T and the sum of squares \p squares of
/// P.
ConstraintStep findConstraintStep(int32_t rows, double trace, double squares);

/// Whether step \p step applies the constraint of component \p index: with
/// probability 1/4, by \p seed, if draws are normal.
bool isConstrained(uint64_t seed, uint64_t step, RandomDraws draws,
                   const Model &model, int32_t index);

/// Applies the constraints that isConstrained() selects to \p model. The
/// threads of \p threads share the components.
void constrainOrthonormal(uint64_t seed, uint64_t step, Model &model,
                          RandomDraws draws = RandomDraws::Normal,
                          ThreadPool *threads = nullptr);

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_TRAIN_ORTHONORMALCONSTRAINT_H
