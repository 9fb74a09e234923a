//===- GeneralMatrix.cpp - Matrices in any storage form -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nnet3/Kaldi/Matrix/GeneralMatrix.h"

using namespace nnet3::kaldi;

namespace {
template <typename T> std::pair<int64_t, int64_t> sizeOf(const T &matrix) {
  return {matrix.rows, matrix.cols};
}
template <> std::pair<int64_t, int64_t> sizeOf(const CompressedMatrix &matrix) {
  return {matrix.header.rows, matrix.header.cols};
}
template <> std::pair<int64_t, int64_t> sizeOf(const SparseMatrix &matrix) {
  return {static_cast<int64_t>(matrix.rows.size()), matrix.cols};
}

/// Converts each form to a full matrix.
struct ToFull {
  Matrix operator()(const Matrix &matrix) const { return matrix; }
  Matrix operator()(const DoubleMatrix &matrix) const {
    Matrix result(matrix.rows, matrix.cols);
    std::transform(matrix.data.begin(), matrix.data.end(), result.data.begin(),
                   [](double value) { return static_cast<float>(value); });
    return result;
  }
  Matrix operator()(const CompressedMatrix &matrix) const {
    return matrix.decode();
  }
  Matrix operator()(const SparseMatrix &matrix) const {
    if (matrix.rows.empty() || matrix.cols == 0)
      return {};
    Matrix result(matrix.rows.size(), matrix.cols);
    for (size_t r = 0; r < matrix.rows.size(); ++r)
      for (auto [column, value] : matrix.rows[r])
        result(r, column) = value;
    return result;
  }
};

/// Extracts a part of each form.
struct Extract {
  int64_t firstRow, rows, firstCol, cols;

  template <typename T>
  GeneralMatrix operator()(const BasicMatrix<T> &matrix) const {
    BasicMatrix<T> result(rows, cols);
    for (int64_t r = 0; r < rows; ++r) {
      llvm::ArrayRef<T> kept = matrix.row(firstRow + r).slice(firstCol, cols);
      std::copy(kept.begin(), kept.end(), result.row(r).begin());
    }
    return result;
  }
  GeneralMatrix operator()(const CompressedMatrix &matrix) const {
    return matrix.extract(firstRow, rows, firstCol, cols);
  }
  GeneralMatrix operator()(const SparseMatrix &matrix) const {
    SparseMatrix result;
    result.cols = cols;
    result.rows.resize(rows);
    for (int64_t r = 0; r < rows; ++r)
      for (auto [column, value] : matrix.rows[firstRow + r])
        if (column >= firstCol && column < firstCol + cols)
          result.rows[r].emplace_back(column - firstCol, value);
    return result;
  }
};
} // namespace

int64_t nnet3::kaldi::getNumRows(const GeneralMatrix &matrix) {
  return std::visit([](const auto &m) { return sizeOf(m).first; }, matrix);
}

int64_t nnet3::kaldi::getNumCols(const GeneralMatrix &matrix) {
  return std::visit([](const auto &m) { return sizeOf(m).second; }, matrix);
}

Matrix nnet3::kaldi::toFull(const GeneralMatrix &matrix) {
  return std::visit(ToFull(), matrix);
}

GeneralMatrix nnet3::kaldi::extract(const GeneralMatrix &matrix,
                                    int64_t firstRow, int64_t rows,
                                    int64_t firstCol, int64_t cols) {
  return std::visit(Extract{firstRow, rows, firstCol, cols}, matrix);
}

namespace {
struct SelectRows {
  llvm::ArrayRef<int64_t> rows;

  template <typename T>
  GeneralMatrix operator()(const BasicMatrix<T> &matrix) const {
    BasicMatrix<T> result(rows.size(), matrix.cols);
    for (auto [i, r] : llvm::enumerate(rows))
      llvm::copy(matrix.row(r), result.row(i).begin());
    return result;
  }
  GeneralMatrix operator()(const CompressedMatrix &matrix) const {
    return matrix.selectRows(rows);
  }
  GeneralMatrix operator()(const SparseMatrix &matrix) const {
    SparseMatrix result;
    result.cols = matrix.cols;
    for (int64_t r : rows)
      result.rows.push_back(matrix.rows[r]);
    return result;
  }
};
} // namespace

GeneralMatrix nnet3::kaldi::selectRows(const GeneralMatrix &matrix,
                                       llvm::ArrayRef<int64_t> rows) {
  return std::visit(SelectRows{rows}, matrix);
}

namespace {
struct Scale {
  float factor;

  template <typename T> void operator()(BasicMatrix<T> &matrix) const {
    for (T &element : matrix.data)
      element *= factor;
  }
  void operator()(CompressedMatrix &matrix) const {
    matrix.header.minValue *= factor;
    matrix.header.range *= factor;
  }
  void operator()(SparseMatrix &matrix) const {
    for (SparseRow &row : matrix.rows)
      for (auto &[column, value] : row)
        value *= factor;
  }
};
} // namespace

void nnet3::kaldi::scale(GeneralMatrix &matrix, float factor) {
  std::visit(Scale{factor}, matrix);
}
