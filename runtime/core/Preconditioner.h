//===- Preconditioner.h - Preconditioning of gradients ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels use preconditioners through this interface only, so that libraries
// without training do not link train/.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_RUNTIME_CORE_PRECONDITIONER_H
#define NNET3_RUNTIME_CORE_PRECONDITIONER_H

#include "nnet3/runtime/MatrixView.h"
#include "nnet3/runtime/StateVisitor.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace nnet3 {
namespace rt {

class Exchange;
class ThreadPool;

/// Options of the estimate of the covariance of rows.
struct NaturalGradientOptions {
  int32_t rank = 40;
  int32_t updatePeriod = 1;
  float numSamplesHistory = 2000;
  /// Replaces numSamplesHistory if above 0; must then be above 1.
  float numMinibatchesHistory = 0;
  float alpha = 4;
};

/// The matmul of preconditioned rows X' with other rows, as a low-rank
/// correction of the matmul of X: X'^T other = scale (X^T other - basis^T
/// sums). `basis` and `sums` have rank() rows, or none if there is no
/// correction.
struct PreconditionedProduct {
  double scale = 1;
  ConstMatrixView basis; ///< rank x columns of X
  ConstMatrixView sums;  ///< rank x columns of other
};

/// Rows that consist of the rows of matrices of the same shape, side by side.
struct JoinedRows {
  JoinedRows(ConstMatrixView first, int32_t count = 1, int64_t distance = 0)
      : rows(first.rows), cols(count * first.cols), count(count), first(first),
        distance(distance) {}
  JoinedRows(MatrixView matrix) : JoinedRows(ConstMatrixView(matrix)) {}

  /// Returns matrix \p i of `count`, or some rows of it.
  ConstMatrixView part(int32_t i) const { return part(i, 0, rows); }
  ConstMatrixView part(int32_t i, int32_t row, int32_t numRows) const {
    return {first.row(row) + i * distance, numRows, first.cols, first.stride};
  }
  /// Returns some rows.
  JoinedRows chunk(int32_t row, int32_t numRows) const {
    return {part(0, row, numRows), count, distance};
  }
  /// Whether matrix i begins i * getShift() rows below the first one.
  bool isShifted() const {
    return count > 1 && distance > 0 && distance % first.stride == 0;
  }
  int64_t getShift() const { return distance / first.stride; }
  /// Returns the matrix that has the rows of all matrices, which are shifted.
  ConstMatrixView all() const {
    return {first.data, static_cast<int32_t>(rows + (count - 1) * getShift()),
            first.cols, first.stride};
  }

  int32_t rows, cols; ///< of all matrices
  int32_t count;

private:
  ConstMatrixView first;
  int64_t distance; ///< in floats, from each matrix to the next
};

/// The estimate of the covariance of rows: R^T diag(d) R + rho I (spec:
/// components.md 4). Empty before the first call.
struct PreconditionerState {
  int64_t steps = 0; ///< calls so far
  double rho = 0;
  std::vector<double> diagonal; ///< d
  std::vector<float> basis;     ///< sqrt(E) R, as many rows as d has elements

  bool isEmpty() const {
    return steps == 0 && diagonal.empty() && basis.empty();
  }
};

/// Multiplies rows by the inverse of an estimate of their covariance.
class Preconditioner {
public:
  virtual ~Preconditioner() = default;

  /// Preconditions the rows of \p x in place. Returns the scale by which the
  /// caller must multiply them to preserve the Frobenius norm. All calls must
  /// have the same number of columns. Allocates in the first call only. Rows
  /// that are not finite remain so and do not update the estimate. The threads
  /// of \p threads share the work; the estimate is then updated by
  /// finishUpdate() or the next call.
  virtual double precondition(MatrixView x, ThreadPool *threads = nullptr) = 0;

  /// As precondition(), for the matmul of \p x with \p other, which has the
  /// same number of rows; does not change \p x. The result is valid until the
  /// next call or finishUpdate(), and has no matrices if rows are not finite.
  /// All calls must have the same numbers of columns.
  virtual PreconditionedProduct
  preconditionProduct(const JoinedRows &x, ConstMatrixView other,
                      ThreadPool *threads = nullptr) = 0;

  /// Updates the estimate if that has been put off. Preconditioners can do so
  /// concurrently.
  virtual void finishUpdate() = 0;

  /// Returns the mean number of rows over processes; this process has \p rows.
  /// It decides between precondition() and preconditionProduct(), because all
  /// processes must call the same function.
  virtual int64_t meanRows(int32_t rows) = 0;

  /// Returns the rank of the estimate for rows of \p columns columns, which is
  /// the number of rows of PreconditionedProduct's matrices.
  virtual int32_t rank(int32_t columns) const = 0;

  /// Makes later calls estimate from the rows of all processes of \p exchange;
  /// null for this process only.
  virtual void setExchange(Exchange *exchange) = 0;

  /// While frozen, rows are preconditioned without an update of the estimate.
  virtual void freeze(bool frozen) = 0;

  /// Returns the largest eigenvalues of the estimate in descending order; empty
  /// before the first call.
  virtual std::vector<double> eigenvalues() const = 0;

  /// Returns the state, after finishUpdate().
  virtual PreconditionerState state() = 0;

  /// Replaces the state. Fails if the sizes do not match.
  virtual Status setState(PreconditionerState state) = 0;
};

/// Creates a natural-gradient preconditioner (train/NaturalGradient.h).
std::unique_ptr<Preconditioner>
makePreconditioner(const NaturalGradientOptions &options);

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_CORE_PRECONDITIONER_H
