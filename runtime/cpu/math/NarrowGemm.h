//===- NarrowGemm.h - Matmuls with few columns ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matmuls of many rows with a narrow matrix, such as a basis of 20 or 80
// vectors. BLAS libraries pack the other factor first, which takes as long as
// the matmul if each element is used so few times.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_RUNTIME_CPU_MATH_NARROWGEMM_H
#define NNET3_RUNTIME_CPU_MATH_NARROWGEMM_H

#include "nnet3/runtime/MatrixView.h"

namespace nnet3 {
namespace rt {

/// Returns the stride that narrow matrices must have. Elements behind the
/// columns are read and written, too; the others do not depend on them.
constexpr int32_t getNarrowStride(int32_t columns) {
  const int32_t stride = (columns + 3) / 4 * 4;
  return stride % 16 == 12 ? stride + 4 : stride;
}

/// out := out + a b, where \p b and \p out are narrow. \p a is out.rows x k,
/// \p b is k x out.cols.
void narrowNN(ConstMatrixView a, ConstMatrixView b, MatrixView out);

/// out := out + a^T b, where \p b and \p out are narrow. \p a is k x out.rows,
/// \p b is k x out.cols.
void narrowTN(ConstMatrixView a, ConstMatrixView b, MatrixView out);

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_CPU_MATH_NARROWGEMM_H
