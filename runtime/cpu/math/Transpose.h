//===- Transpose.h - Transposed copies of matrices --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_CPU_MATH_TRANSPOSE_H
#define NNET3_RUNTIME_CPU_MATH_TRANSPOSE_H

#include "nnet3/runtime/MatrixView.h"

namespace nnet3 {
namespace rt {

/// Copies the transpose of \p from to the first from.cols rows and from.rows
/// columns of \p to, which does not overlap it.
void transpose(ConstMatrixView from, MatrixView to);

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_CPU_MATH_TRANSPOSE_H
