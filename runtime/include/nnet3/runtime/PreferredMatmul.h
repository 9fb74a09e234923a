//===- PreferredMatmul.h - Choice of preconditioning ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_PREFERREDMATMUL_H
#define NNET3_RUNTIME_PREFERREDMATMUL_H

#include <cstdint>

namespace nnet3 {
namespace rt {

/// Whether a gradient Y^T X of \p rows rows takes fewer operations if the
/// result of the matmul is corrected (Preconditioner::preconditionProduct())
/// instead of preconditioning the factor with \p columns columns first. The
/// other factor has \p others columns.
constexpr bool prefersMatmul(int64_t columns, int64_t others, int64_t rows) {
  return others * (rows + columns) < rows * columns;
}

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_PREFERREDMATMUL_H
