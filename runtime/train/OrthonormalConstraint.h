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
/// rows (or columns, where there are fewer of these). The multiple is
/// \p target where this is above 0; where it is below, the one that keeps the
/// matrix as it is best.
void constrainOrthonormal(MatrixView matrix, float target);

/// The speed of the update and the square of the target, for a matrix with
/// \p rows rows, not more than its columns, where \p trace is that of the
/// matrix times its transpose P, and \p squares the sum of the squares of P. No
/// speed where there is nothing to do.
struct ConstraintStep {
  double speed = 0.125;
  double squaredScale = 0;
};
ConstraintStep findConstraintStep(int32_t rows, double trace, double squares);

/// Whether component \p index of a model is constrained in step \p step.
bool isConstrained(uint64_t seed, uint64_t step, const Model &model,
                   int32_t index);

/// Applies the components' constraints to \p model, each with probability 1/4
/// (StepRandom.h), a function of \p seed and \p step.
void constrainOrthonormal(uint64_t seed, uint64_t step, Model &model,
                          RandomDraws draws = RandomDraws::Normal);

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_TRAIN_ORTHONORMALCONSTRAINT_H
