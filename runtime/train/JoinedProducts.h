//===- JoinedProducts.h - Matmuls of shifted rows with a basis --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A row of X may consist of rows r and r + s of one matrix, as for two time
// offsets of a component. In X W^T, each row of that matrix is multiplied once,
// with the parts of W^T side by side: these fill vectors better than a part of
// 20 columns, and the rows are read once.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_RUNTIME_TRAIN_JOINEDPRODUCTS_H
#define NNET3_RUNTIME_TRAIN_JOINEDPRODUCTS_H

#include "core/Preconditioner.h"

#include <vector>

namespace nnet3 {
namespace rt {

/// Number of rows that pass through all matmuls while they are in a cache, and
/// number of such chunks that threads share.
constexpr int32_t kChunkRows = 240, kChunksToShare = 8;
/// Rows that a thread multiplies at a time, so that they are in the L2 cache
/// when their squares are added up.
constexpr int32_t kPieceRows = 60;

class JoinedProducts {
public:
  /// Whether the matrices of \p x are shifted, by few rows.
  static bool supports(const JoinedRows &x);

  /// h := x w^T for at most kChunksToShare chunks of rows. Returns the sum of
  /// squares of \p x. Threads take a chunk each; the results do not depend on
  /// their number.
  double multiply(const JoinedRows &x, ConstMatrixView w, MatrixView h,
                  ThreadPool *threads);
  /// The next call has another \p w.
  void basisChanged() { count = 0; }

private:
  void setColumns(const JoinedRows &x, ConstMatrixView w);
  double multiplyChunk(const JoinedRows &x, ConstMatrixView wide,
                       MatrixView products, MatrixView h) const;

  /// The parts of w^T side by side, and the products of all rows with them;
  /// both have getWholeColumns() columns.
  std::vector<float> columns, products;
  int32_t count = 0; ///< parts in `columns`
};

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_TRAIN_JOINEDPRODUCTS_H
