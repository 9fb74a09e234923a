//===- RowCommands.h - Commands that move and add rows ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The commands between matrices (spec: execution.md 1.2). Operands have been
// verified. With alpha = 0, copies write zeros and additions add nothing, even
// for sources that are not finite.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_RUNTIME_CPU_ROWCOMMANDS_H
#define NNET3_RUNTIME_CPU_ROWCOMMANDS_H

#include "core/ProgramData.h"
#include "nnet3/runtime/MatrixView.h"

#include <cstdint>

namespace nnet3 {
namespace rt {

/// Every element := value.
void setConst(MatrixView dst, float value);
/// dst := alpha src, or dst += alpha src.
void copyMatrix(MatrixView dst, ConstMatrixView src, float alpha);
void addMatrix(MatrixView dst, ConstMatrixView src, float alpha);
/// Row i of dst := or += alpha src[rows[i]]; -1 is a row of zeros.
void copyRows(MatrixView dst, ConstMatrixView src, const int32_t *rows,
              float alpha);
void addRows(MatrixView dst, ConstMatrixView src, const int32_t *rows,
             float alpha);
/// Row i of dst += alpha times the sum of the rows from begin[i] to end[i].
void addRowRanges(MatrixView dst, ConstMatrixView src, const int32_t *begin,
                  const int32_t *end, int32_t step, float alpha);

/// The rows of a multi table, in windows of matrices.
struct MultiRows {
  const Window *windows;
  float *const *bases; ///< of the matrices
  const int32_t *submatrices;
  const int32_t *rows;
  int64_t round; ///< iteration of the loop

  /// Returns the row of entry \p i; null for -1.
  float *row(int64_t i) const {
    if (submatrices[i] < 0)
      return nullptr;
    const Window &window = windows[submatrices[i]];
    return bases[window.matrix] + window.offset(round) +
           rows[i] * window.stride;
  }
};

/// Row i of dst := or += alpha times entry i.
void copyRowsMulti(MatrixView dst, const MultiRows &src, float alpha);
void addRowsMulti(MatrixView dst, const MultiRows &src, float alpha);
/// Entry i := or += alpha times row i of src.
void copyToRowsMulti(const MultiRows &dst, ConstMatrixView src);
void addToRowsMulti(const MultiRows &dst, ConstMatrixView src, float alpha);

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_CPU_ROWCOMMANDS_H
