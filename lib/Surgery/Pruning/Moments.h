//===- Moments.h - Measured second moments of nodes -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LIB_SURGERY_PRUNING_MOMENTS_H
#define LIB_SURGERY_PRUNING_MOMENTS_H

#include "nnet3/Surgery/LinearAlgebra.h"

#include "mlir/IR/Location.h"
#include "llvm/ADT/StringMap.h"

namespace mlir::nnet3 {

/// The second-moment matrices E[z z^T] of the rows z of nodes.
class Moments {
public:
  /// Reads the table `name`; with an empty name, all matrices are the identity.
  /// Emits errors at `loc`.
  static FailureOr<Moments> read(StringRef name, Location loc);

  /// Returns the matrix of a node with `dim` columns. Emits an error at `loc`
  /// if it is missing or has another size.
  FailureOr<DoubleMatrix> get(StringRef node, int64_t dim, Location loc) const;

private:
  bool areGiven = false;
  llvm::StringMap<DoubleMatrix> matrices;
};

/// Returns how many of `count` columns are kept: the fraction `part`, rounded
/// up to a multiple of `multiple`.
int64_t countKept(int64_t count, double part, int64_t multiple);

/// Emits an error at `loc` if `part` or `multiple` is out of range.
LogicalResult checkKept(double part, int64_t multiple, Location loc);

} // namespace mlir::nnet3

#endif // LIB_SURGERY_PRUNING_MOMENTS_H
