//===- Preconditioner.h - What preconditions gradients ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels know preconditioners through this interface alone: a library without
// training links them without what train/ needs.
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

/// How a preconditioner estimates the covariance of the rows it sees.
struct NaturalGradientOptions {
  int32_t rank = 40;
  int32_t updatePeriod = 1;
  float numSamplesHistory = 2000;
  /// In place of numSamplesHistory where above 0; then above 1.
  float numMinibatchesHistory = 0;
  float alpha = 4;
};

/// The rows X', as preconditioned from X, in products with other rows:
/// X'^T other is scale (X^T other - basis^T sums). The matrices have as many
/// rows as the estimate has directions, or none.
struct PreconditionedProduct {
  double scale = 1;
  ConstMatrixView basis; ///< with the columns of X
  ConstMatrixView sums;  ///< with the columns of the other rows
};

/// Multiplies rows by the inverse of an estimate of their covariance.
class Preconditioner {
public:
  virtual ~Preconditioner() = default;

  /// Preconditions the rows of \p x in place. Returns the scale by which the
  /// caller has to multiply them to preserve the Frobenius norm. All calls have
  /// the same number of columns. Allocates in the first call only. Rows that
  /// are not finite stay so, and the estimate does not learn from them. The
  /// threads of \p threads share the work.
  virtual double precondition(MatrixView x, ThreadPool *threads = nullptr) = 0;

  /// The same as precondition() for the product with as many rows \p other;
  /// \p x stays as it is. The matrices are there until the next call. There are
  /// none where rows are not finite. All calls have the same columns of both.
  virtual PreconditionedProduct
  preconditionProduct(ConstMatrixView x, ConstMatrixView other,
                      ThreadPool *threads = nullptr) = 0;

  /// Returns the mean number of rows of all processes; this one has \p rows.
  /// The processes choose between precondition() and preconditionProduct() by
  /// it, as all of them have to call the same function.
  virtual int64_t meanRows(int32_t rows) = 0;

  /// How many rows the matrices of a product have for rows of \p columns.
  virtual int32_t rank(int32_t columns) const = 0;

  /// From now on the rows are those of all processes of \p exchange together;
  /// null for this one alone.
  virtual void setExchange(Exchange *exchange) = 0;

  /// While frozen, rows are preconditioned but the estimate stays.
  virtual void freeze(bool frozen) = 0;

  /// The largest eigenvalues of the estimate, falling; none before the first
  /// call.
  virtual std::vector<double> eigenvalues() const = 0;

  /// Shows what it has learnt; names begin with \p prefix. Fails if the visitor
  /// gave it sizes that do not go together.
  virtual Status visitState(const std::string &prefix,
                            StateVisitor &visitor) = 0;
};

/// The natural gradient (train/NaturalGradient.h).
std::unique_ptr<Preconditioner>
makePreconditioner(const NaturalGradientOptions &options);

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_CORE_PRECONDITIONER_H
