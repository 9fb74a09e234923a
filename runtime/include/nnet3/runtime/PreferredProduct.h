//===- PreferredProduct.h - How to precondition gradients -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_PREFERREDPRODUCT_H
#define NNET3_RUNTIME_PREFERREDPRODUCT_H

#include <cstdint>

namespace nnet3 {
namespace rt {

/// Whether a gradient Y^T X takes fewer operations if the factor with
/// \p columns is not preconditioned itself, but the product with the other
/// factor, which has \p others (Preconditioner::preconditionProduct()). Both
/// have \p rows.
constexpr bool prefersProduct(int64_t columns, int64_t others, int64_t rows) {
  return others * (rows + columns) < rows * columns;
}

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_PREFERREDPRODUCT_H
