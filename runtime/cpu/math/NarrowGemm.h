//===- NarrowGemm.h - Matmuls with a narrow matrix --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matmuls of many rows with a matrix of few columns, such as a basis of 20 or
// 80 vectors. BLAS libraries pack the other matrix first, which takes as long
// as the matmul if each element is used so few times.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_RUNTIME_CPU_MATH_NARROWGEMM_H
#define NNET3_RUNTIME_CPU_MATH_NARROWGEMM_H

#include "nnet3/runtime/MatrixView.h"

namespace nnet3 {
namespace rt {

/// Returns a number of columns, at least \p columns, that tiles divide well.
constexpr int32_t getWholeColumns(int32_t columns) {
  const int32_t whole = (columns + 3) / 4 * 4;
  return whole % 16 == 12 ? whole + 4 : whole;
}

/// What happens to a product.
enum class NarrowResult {
  Store,   ///< out := product
  Add,     ///< out := out + product
  Subtract ///< out := out - product
};

/// Computes a b, where \p a is narrow, or \p b and \p out are. \p a is
/// out.rows x k, \p b is k x out.cols.
void narrowNN(ConstMatrixView a, ConstMatrixView b, MatrixView out,
              NarrowResult result);

/// Computes a^T b, where \p a is narrow, or \p b and \p out are. \p a is
/// k x out.rows, \p b is k x out.cols. Adds up 240 terms at a time: calls with
/// multiples of 240 rows, of which all but the first add, give the bits of one
/// call with all rows.
void narrowTN(ConstMatrixView a, ConstMatrixView b, MatrixView out,
              NarrowResult result);

/// The same with BLAS, for CPUs without wide vectors.
void narrowTNPortable(ConstMatrixView a, ConstMatrixView b, MatrixView out,
                      NarrowResult result);

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_CPU_MATH_NARROWGEMM_H
