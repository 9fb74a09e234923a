//===- OrthonormalConstraint.cpp - Nearly orthonormal rows ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "OrthonormalConstraint.h"
#include "StepRandom.h"
#include "core/ComponentState.h"
#include "core/Gemm.h"
#include "core/ThreadPool.h"
#include "cpu/math/VectorMath.h"

#include <algorithm>
#include <cmath>

namespace nnet3 {
namespace rt {

namespace {

struct Storage {
  Storage(int32_t rows, int32_t cols)
      : values(int64_t(rows) * cols), view(values.data(), rows, cols, cols) {}
  std::vector<float> values;
  MatrixView view;
};

} // namespace

static double trace(ConstMatrixView square) {
  double sum = 0;
  for (int32_t i = 0; i < square.rows; ++i)
    sum += square.row(i)[i];
  return sum;
}

/// Uses the scale of the nearest orthonormal matrix, and a lower speed if the
/// matrix is far from it, where a higher speed might diverge. Speed 0 if the
/// matrix is almost zero.
ConstraintStep findConstraintStep(int32_t rows, double trace, double squares) {
  ConstraintStep step;
  if (!(trace >= 1e-15)) {
    step.speed = 0;
    return step;
  }
  step.squaredScale = squares / trace;
  const double ratio = squares * rows / (trace * trace);
  if (ratio > 1.02)
    step.speed /= 2;
  if (ratio > 1.1)
    step.speed /= 2;
  return step;
}

bool isConstrained(uint64_t seed, uint64_t step, RandomDraws draws,
                   const Model &model, int32_t index) {
  if (model.component(index).updateOptions().orthonormalConstraint == 0)
    return false;
  if (draws != RandomDraws::Normal)
    return draws == RandomDraws::Zero;
  return stepRandom(seed, step, StepPurpose::Constraint,
                    static_cast<uint32_t>(index))[0] < 1u << 30;
}

void constrainOrthonormal(MatrixView matrix, float target) {
  // If M has more rows than columns, P = M^T M, and M P replaces P M.
  const bool isWide = matrix.rows <= matrix.cols;
  const int32_t size = std::min(matrix.rows, matrix.cols);
  Storage product(size, size);
  const MatrixView p = product.view;
  if (isWide)
    gemmNT(matrix, matrix, 0.0f, p);
  else
    gemmTN(matrix, matrix, 1.0f, p);
  ConstraintStep step;
  if (target < 0)
    step = findConstraintStep(p.rows, trace(p),
                              vecSumSquares(int64_t(p.rows) * p.cols, p.data));
  else
    step.squaredScale = double(target) * target;
  if (step.speed == 0)
    return;

  // M := M - 4 speed / scale^2 (P - scale^2 I) M
  for (int32_t i = 0; i < p.rows; ++i)
    p.row(i)[i] -= static_cast<float>(step.squaredScale);
  vecScale(int64_t(p.rows) * p.cols,
           static_cast<float>(-4 * step.speed / step.squaredScale), p.data,
           p.data);
  Storage copy(matrix.rows, matrix.cols);
  std::copy_n(matrix.data, copy.values.size(), copy.values.data());
  if (isWide)
    gemmNN(p, copy.view, 1.0f, 1.0f, matrix);
  else
    gemmNN(copy.view, p, 1.0f, 1.0f, matrix);
}

void constrainOrthonormal(uint64_t seed, uint64_t step, Model &model,
                          RandomDraws draws, ThreadPool *threads) {
  std::vector<int32_t> chosen;
  for (int32_t i = 0; i < model.numComponents(); ++i)
    if (isConstrained(seed, step, draws, model, i))
      chosen.push_back(i);
  shareEach(threads, chosen.size(), [&](int64_t k) {
    constrainOrthonormal(
        model.state(chosen[k]).parameters[0],
        model.component(chosen[k]).updateOptions().orthonormalConstraint);
  });
}

} // namespace rt
} // namespace nnet3
