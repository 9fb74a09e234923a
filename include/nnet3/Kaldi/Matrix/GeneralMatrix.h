//===- GeneralMatrix.h - Full, compressed or sparse matrices ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The matrices of training examples: full, compressed or sparse, a form that is
// kept when they are written again (spec: formats.md 3.1 and 3.2).
//
//===----------------------------------------------------------------------===//
#ifndef NNET3_KALDI_MATRIX_GENERALMATRIX_H
#define NNET3_KALDI_MATRIX_GENERALMATRIX_H

#include "nnet3/Kaldi/Matrix/CompressedMatrix.h"
#include "nnet3/Kaldi/Matrix/Matrix.h"
#include "llvm/Support/LogicalResult.h"
#include <utility>
#include <variant>

namespace nnet3::kaldi {

class KaldiReader;
class KaldiWriter;

/// The nonzero elements of a row, each with its column, in ascending order.
using SparseRow = std::vector<std::pair<int32_t, float>>;

/// A matrix that stores nonzero elements only.
struct SparseMatrix {
  std::vector<SparseRow> rows;
  int32_t cols = 0;
};

/// A matrix in the form that its file has.
using GeneralMatrix =
    std::variant<Matrix, DoubleMatrix, CompressedMatrix, SparseMatrix>;

int64_t getNumRows(const GeneralMatrix &matrix);
int64_t getNumCols(const GeneralMatrix &matrix);

/// Converts `matrix` to a full matrix of float.
Matrix toFull(const GeneralMatrix &matrix);

/// Extracts a part of `matrix` from `firstRow` and `firstCol` in the same form,
/// without changing codes. The part must be within the matrix and not empty.
GeneralMatrix extract(const GeneralMatrix &matrix, int64_t firstRow,
                      int64_t rows, int64_t firstCol, int64_t cols);

/// Returns the rows of `matrix` with these numbers in the same form, without
/// changing codes.
GeneralMatrix selectRows(const GeneralMatrix &matrix,
                         llvm::ArrayRef<int64_t> rows);

/// Multiplies the elements by `factor`; a compressed matrix keeps its codes.
void scale(GeneralMatrix &matrix, float factor);

/// Reads a sparse, compressed or full matrix. Text has no compressed form.
llvm::LogicalResult readGeneralMatrix(KaldiReader &reader,
                                      GeneralMatrix &matrix);

/// Writes `matrix` in its form, except for a compressed matrix in text and a
/// sparse matrix without rows, which are written as full matrices.
void writeGeneralMatrix(KaldiWriter &writer, const GeneralMatrix &matrix);

/// A vector of float or of double, as in its file.
using GeneralVector = std::variant<std::vector<float>, std::vector<double>>;

/// Reads a vector; a text vector is one of float.
llvm::LogicalResult readGeneralVector(KaldiReader &reader,
                                      GeneralVector &vector);

void writeGeneralVector(KaldiWriter &writer, const GeneralVector &vector);

} // namespace nnet3::kaldi

#endif // NNET3_KALDI_MATRIX_GENERALMATRIX_H
