//===- Objective.h - Objective functions of output nodes ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spec: execution.md 2. Objectives are maximised, so derivatives are ascent
// directions.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_RUNTIME_OBJECTIVE_H
#define NNET3_RUNTIME_OBJECTIVE_H

#include "nnet3/runtime/MatrixView.h"
#include "nnet3/runtime/Status.h"

#include <cstdint>
#include <variant>

namespace nnet3 {
namespace rt {

enum class ObjectiveType {
  Linear,   ///< sum of output times supervision
  Quadratic ///< -1/2 times the squared distance of output and supervision
};

/// A borrowed matrix in CSR form. The elements of row r are rowBegin[r] to
/// rowBegin[r + 1] - 1; values of the same column of a row are added.
struct SparseMatrixView {
  int32_t rows = 0;
  int32_t cols = 0;
  const int64_t *rowBegin = nullptr; ///< rows + 1 entries
  const int32_t *columns = nullptr;
  const float *values = nullptr;
};

/// The target of an output; for the linear objective, the weight of each
/// element of the output.
using SupervisionMatrix = std::variant<ConstMatrixView, SparseMatrixView>;

struct ObjectiveValue {
  double value = 0;
  /// Normaliser of averages: the sum of the supervision (linear), or the number
  /// of rows (quadratic).
  double weight = 0;
};

/// Computes the objective of \p output. \p derivative, unless it has no data,
/// receives the derivative with respect to \p output, of the same shape, and
/// must not overlap the other matrices. Errors: different shapes, sparse
/// elements outside of the matrix.
Result<ObjectiveValue> computeObjective(ObjectiveType type,
                                        ConstMatrixView output,
                                        const SupervisionMatrix &supervision,
                                        MatrixView derivative = MatrixView());

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_OBJECTIVE_H
