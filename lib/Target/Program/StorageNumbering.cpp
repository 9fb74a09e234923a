//===- StorageNumbering.cpp - Numbers of matrices and windows -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "StorageNumbering.h"

using namespace mlir;
using namespace mlir::nnet3;
using mlir::nnet3::SubMatrixOp;
namespace schema = ::nnet3::rt::schema;

int32_t StorageNumbering::getMatrix(Value value) {
  auto [it, inserted] = matrixIds.try_emplace(value, matrices.size());
  if (inserted) {
    auto type = cast<MemRefType>(value.getType());
    matrices.emplace_back(int32_t(type.getDimSize(0)),
                          int32_t(type.getDimSize(1)));
  }
  return it->second;
}

int32_t StorageNumbering::getSubmatrix(Value value) {
  auto known = submatrixIds.find(value);
  if (known != submatrixIds.end())
    return known->second;
  auto type = cast<MemRefType>(value.getType());
  int64_t row = 0, col = 0, step = 0;
  Value base = value;
  if (auto view = base.getDefiningOp<MovingSubMatrixOp>()) {
    row = view.getRowOffset();
    col = view.getColOffset();
    step = view.getRowStep();
    base = view.getSource();
  }
  while (auto view = base.getDefiningOp<SubMatrixOp>()) {
    row += view.getRowOffset();
    col += view.getColOffset();
    base = view.getSource();
  }
  int32_t matrix = getMatrix(base);
  auto [it, inserted] = windows.try_emplace(
      std::array<int64_t, 6>{matrix, row, type.getDimSize(0), col,
                             type.getDimSize(1), step},
      submatrices.size());
  if (inserted)
    submatrices.emplace_back(matrix, int32_t(row), int32_t(type.getDimSize(0)),
                             int32_t(col), int32_t(type.getDimSize(1)),
                             int32_t(step));
  submatrixIds[value] = it->second;
  return it->second;
}
