//===- OrthonormalConstraint.cpp - Nearly orthonormal rows ----------------===//

#include "OrthonormalConstraint.h"
#include "StepRandom.h"
#include "core/ComponentState.h"
#include "core/Gemm.h"
#include "cpu/VectorMath.h"

#include <cmath>

namespace nnet3 {
namespace runtime {

namespace {

struct Storage {
  Storage(int32_t rows, int32_t cols)
      : values(int64_t(rows) * cols), view(values.data(), rows, cols, cols) {}
  std::vector<float> values;
  MatrixView view;
};

/// The speed of the update, and the square of the target.
struct Step {
  double speed = 0.125;
  double squaredScale = 0;
};

} // namespace

static void copyTransposed(ConstMatrixView from, MatrixView to) {
  for (int32_t r = 0; r < to.rows; ++r)
    for (int32_t c = 0; c < to.cols; ++c)
      to.row(r)[c] = from.row(c)[r];
}

static double trace(ConstMatrixView square) {
  double sum = 0;
  for (int32_t i = 0; i < square.rows; ++i)
    sum += square.row(i)[i];
  return sum;
}

/// The scale of the orthonormal matrix that is nearest, and a lower speed far
/// from it, where a higher one might diverge. No speed where there is no scale.
static Step floatingStep(ConstMatrixView product) {
  Step step;
  const double tr = trace(product);
  if (!(tr >= 1e-15)) {
    step.speed = 0;
    return step;
  }
  const double squares =
      vecSumSquares(int64_t(product.rows) * product.cols, product.data);
  step.squaredScale = squares / tr;
  const double ratio = squares * product.rows / (tr * tr);
  if (ratio > 1.02)
    step.speed /= 2;
  if (ratio > 1.1)
    step.speed /= 2;
  return step;
}

void constrainOrthonormal(MatrixView matrix, float target) {
  // M and its transpose, one of which is a copy, have the layouts that the two
  // products need.
  Storage copy(matrix.cols, matrix.rows);
  copyTransposed(matrix, copy.view);
  const bool isWide = matrix.rows <= matrix.cols;
  const MatrixView wide = isWide ? matrix : copy.view;
  const MatrixView tall = isWide ? copy.view : matrix;

  Storage product(wide.rows, wide.rows);
  const MatrixView p = product.view;
  gemmNT(wide, wide, 0.0f, p);
  Step step;
  if (target < 0)
    step = floatingStep(p);
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
  gemmNT(p, tall, 1.0f, wide);
  if (!isWide)
    copyTransposed(copy.view, matrix);
}

void constrainOrthonormal(uint64_t seed, uint64_t step, Model &model) {
  for (int32_t i = 0; i < model.numComponents(); ++i) {
    const float target =
        model.component(i).updateOptions().orthonormalConstraint;
    const auto position = static_cast<uint32_t>(i);
    if (target != 0 &&
        stepRandom(seed, step, StepPurpose::Constraint, position)[0] < 1u << 30)
      constrainOrthonormal(model.state(i).parameters[0], target);
  }
}

} // namespace runtime
} // namespace nnet3
