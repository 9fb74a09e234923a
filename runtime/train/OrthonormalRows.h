//===- OrthonormalRows.h - Gram-Schmidt on rows -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_TRAIN_ORTHONORMALROWS_H
#define NNET3_RUNTIME_TRAIN_ORTHONORMALROWS_H

#include "nnet3/runtime/MatrixView.h"

namespace nnet3 {
namespace rt {

/// Makes the rows of \p x, at most as many as its columns, orthonormal by
/// Gram-Schmidt. A row that is not finite or depends on the rows before it is
/// replaced by another direction. \p scratch holds x.rows floats.
void orthonormalizeRows(MatrixView x, float *scratch);

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_TRAIN_ORTHONORMALROWS_H
