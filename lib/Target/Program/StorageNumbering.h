//===- StorageNumbering.h - Numbers of matrices and windows -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef LIB_TARGET_PROGRAM_STORAGENUMBERING_H
#define LIB_TARGET_PROGRAM_STORAGENUMBERING_H

#include "nnet3/Dialect/Nnet3/IR/CommandOps.h"
#include "nnet3/runtime/program_generated.h"
#include "llvm/ADT/DenseMap.h"
#include <array>
#include <map>

namespace mlir::nnet3 {

/// Numbers the matrices of a computation and the windows of them that its
/// commands use. Equal windows share a number; a view of a view becomes a
/// window of the matrix.
class StorageNumbering {
public:
  /// Returns the number of the window of `value`, a matrix or a sub-matrix.
  int32_t getSubmatrix(Value value);

  const std::vector<::nnet3::rt::schema::Matrix> &getMatrices() const {
    return matrices;
  }
  const std::vector<::nnet3::rt::schema::Submatrix> &getSubmatrices() const {
    return submatrices;
  }

private:
  int32_t getMatrix(Value value);

  std::vector<::nnet3::rt::schema::Matrix> matrices;
  std::vector<::nnet3::rt::schema::Submatrix> submatrices;
  llvm::DenseMap<Value, int32_t> matrixIds;
  llvm::DenseMap<Value, int32_t> submatrixIds;
  /// (matrix, row offset, rows, column offset, columns, row stride between loop
  /// iterations).
  std::map<std::array<int64_t, 6>, int32_t> windows;
};

} // namespace mlir::nnet3

#endif // LIB_TARGET_PROGRAM_STORAGENUMBERING_H
