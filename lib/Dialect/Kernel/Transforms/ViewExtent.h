//===- ViewExtent.h - The memory that a view covers -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_LIB_DIALECT_KERNEL_TRANSFORMS_VIEWEXTENT_H
#define NNET3_LIB_DIALECT_KERNEL_TRANSFORMS_VIEWEXTENT_H

#include "mlir/IR/Value.h"

#include <optional>

namespace mlir::nnet3::kernel {

/// The elements of a matrix, or of a vector, which counts as one row.
struct ViewExtent {
  Value memory;
  int64_t offset, rows, stride, columns;
  /// Growth of the offset from one round of a loop to the next, and from the
  /// first to the last round.
  int64_t step = 0, distance = 0;

  /// Returns the extent of `view` if its offset is constant, or grows by a
  /// constant in each round of the surrounding loop.
  static std::optional<ViewExtent> get(Value view);

  /// Returns the extent of `count` columns from column `first` on.
  ViewExtent getColumns(int64_t first, int64_t count) const {
    return {memory, offset + first, rows, stride, count, step, distance};
  }
  /// Whether both cover the same elements in the same order.
  bool operator==(const ViewExtent &other) const;
  /// Whether the extents are disjoint.
  bool isApartFrom(const ViewExtent &other) const;

private:
  int64_t begin() const;
  int64_t end() const;
};

} // namespace mlir::nnet3::kernel

#endif // NNET3_LIB_DIALECT_KERNEL_TRANSFORMS_VIEWEXTENT_H
