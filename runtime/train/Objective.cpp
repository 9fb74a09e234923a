//===- Objective.cpp - Objective functions of output nodes ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/runtime/Objective.h"
#include "cpu/math/VectorMath.h"

#include <algorithm>
#include <string>
#include <vector>

namespace nnet3 {
namespace rt {

template <typename View> static std::string shapeOf(const View &matrix) {
  return std::to_string(matrix.rows) + "x" + std::to_string(matrix.cols);
}

static Status checkElements(const ConstMatrixView &) { return Status(); }

static Status checkElements(const SparseMatrixView &matrix) {
  for (int32_t r = 0; r < matrix.rows; ++r)
    for (int64_t i = matrix.rowBegin[r]; i < matrix.rowBegin[r + 1]; ++i)
      if (matrix.columns[i] < 0 || matrix.columns[i] >= matrix.cols)
        return invalidArgument("expects supervision of columns below " +
                               std::to_string(matrix.cols) + ", but got " +
                               std::to_string(matrix.columns[i]));
  return Status();
}

/// Returns row \p r as a dense row; a sparse row is expanded into the buffer.
static const float *expandRow(const ConstMatrixView &matrix, int32_t r,
                              float *) {
  return matrix.row(r);
}

static const float *expandRow(const SparseMatrixView &matrix, int32_t r,
                              float *storage) {
  std::fill_n(storage, matrix.cols, 0.0f);
  for (int64_t i = matrix.rowBegin[r]; i < matrix.rowBegin[r + 1]; ++i)
    storage[matrix.columns[i]] += matrix.values[i];
  return storage;
}

static void addLinearRow(int32_t cols, const float *x, const float *y,
                         float *derivative, ObjectiveValue &sum) {
  sum.value += vecDot(cols, x, y);
  sum.weight += vecSum(cols, y);
  if (y != derivative)
    std::copy_n(y, cols, derivative);
}

static void addQuadraticRow(int32_t cols, const float *x, const float *y,
                            float *derivative, ObjectiveValue &sum) {
  for (int32_t c = 0; c < cols; ++c)
    derivative[c] = y[c] - x[c];
  sum.value -= 0.5 * vecSumSquares(cols, derivative);
  sum.weight += 1;
}

template <typename View>
static Result<ObjectiveValue>
compute(ObjectiveType type, const ConstMatrixView &output,
        const View &supervision, const MatrixView &derivative) {
  if (supervision.rows != output.rows || supervision.cols != output.cols)
    return invalidArgument("expects supervision of " + shapeOf(output) +
                           ", but got " + shapeOf(supervision));
  if (Status status = checkElements(supervision); !status.ok())
    return status;
  std::vector<float> unwanted(derivative.data ? 0 : output.cols);
  ObjectiveValue sum;
  for (int32_t r = 0; r < output.rows; ++r) {
    float *row = derivative.data ? derivative.row(r) : unwanted.data();
    const float *y = expandRow(supervision, r, row);
    if (type == ObjectiveType::Linear)
      addLinearRow(output.cols, output.row(r), y, row, sum);
    else
      addQuadraticRow(output.cols, output.row(r), y, row, sum);
  }
  return sum;
}

Result<ObjectiveValue> computeObjective(ObjectiveType type,
                                        ConstMatrixView output,
                                        const SupervisionMatrix &supervision,
                                        MatrixView derivative) {
  return std::visit(
      [&](const auto &matrix) {
        return compute(type, output, matrix, derivative);
      },
      supervision);
}

} // namespace rt
} // namespace nnet3
