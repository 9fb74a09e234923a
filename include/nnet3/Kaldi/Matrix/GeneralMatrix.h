//===- GeneralMatrix.h - Matrices in whichever form they have ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What training examples hold: a matrix that is full, compressed or sparse and
// stays so when it is written again (spec: formats.md 3.1 and 3.2).
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

/// The elements of a row that are not zero, each with its column; columns
/// increase strictly.
using SparseRow = std::vector<std::pair<int32_t, float>>;

/// A matrix of which most elements are zero.
struct SparseMatrix {
  std::vector<SparseRow> rows;
  int32_t cols = 0;
};

/// A matrix of float, or of double where a file has it so, in one of its forms.
using GeneralMatrix =
    std::variant<Matrix, DoubleMatrix, CompressedMatrix, SparseMatrix>;

int64_t getNumRows(const GeneralMatrix &matrix);
int64_t getNumCols(const GeneralMatrix &matrix);

/// The elements of `matrix`, whatever its form.
Matrix toFull(const GeneralMatrix &matrix);

/// The part of `matrix` from `firstRow` and `firstCol`, in the same form; codes
/// stay as they are. The part is not empty and lies inside.
GeneralMatrix extract(const GeneralMatrix &matrix, int64_t firstRow,
                      int64_t rows, int64_t firstCol, int64_t cols);

/// The rows of `matrix` with these numbers, in the same form; codes stay as
/// they are.
GeneralMatrix selectRows(const GeneralMatrix &matrix,
                         llvm::ArrayRef<int64_t> rows);

/// Multiplies the elements by `factor`; a compressed matrix keeps its codes.
void scale(GeneralMatrix &matrix, float factor);

/// Reads a sparse, compressed or full matrix; in text compressed ones are full.
llvm::LogicalResult readGeneralMatrix(KaldiReader &reader,
                                      GeneralMatrix &matrix);

/// Writes `matrix` in its form; in text a compressed one as a full one. A
/// sparse matrix without rows is a full one, as there is nothing to tell.
void writeGeneralMatrix(KaldiWriter &writer, const GeneralMatrix &matrix);

/// A vector of float, or of double where a file has it so.
using GeneralVector = std::variant<std::vector<float>, std::vector<double>>;

/// Reads a vector; in text it is of float.
llvm::LogicalResult readGeneralVector(KaldiReader &reader,
                                      GeneralVector &vector);

void writeGeneralVector(KaldiWriter &writer, const GeneralVector &vector);

} // namespace nnet3::kaldi

#endif // NNET3_KALDI_MATRIX_GENERALMATRIX_H
