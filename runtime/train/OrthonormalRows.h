//===- OrthonormalRows.h - Gram-Schmidt on rows -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_TRAIN_ORTHONORMALROWS_H
#define NNET3_RUNTIME_TRAIN_ORTHONORMALROWS_H

#include "nnet3/runtime/MatrixView.h"

namespace nnet3 {
namespace rt {

/// Makes the rows of \p x, not more than its columns, orthonormal: each row
/// keeps its direction as far as the rows before it allow. A row that depends
/// on those before it, or is not finite, is replaced by another direction.
/// \p scratch holds x.rows floats.
void orthonormalizeRows(MatrixView x, float *scratch);

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_TRAIN_ORTHONORMALROWS_H
