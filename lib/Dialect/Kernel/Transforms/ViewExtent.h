//===- ViewExtent.h - The memory that a view covers -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_LIB_DIALECT_KERNEL_TRANSFORMS_VIEWEXTENT_H
#define NNET3_LIB_DIALECT_KERNEL_TRANSFORMS_VIEWEXTENT_H

#include "mlir/IR/Value.h"

#include <optional>

namespace mlir::nnet3::kernel {

/// The elements of a matrix, or of a vector, which has one row.
struct ViewExtent {
  Value memory;
  int64_t offset, rows, stride, columns;
  /// By how much the offset grows from one round of a loop to the next, and
  /// from the first to the last.
  int64_t step = 0, distance = 0;

  /// The extent of `view`, if its offset in a memory is a constant, or grows by
  /// a constant from one round of the loop around it to the next.
  static std::optional<ViewExtent> get(Value view);

  /// `count` columns from `first` on.
  ViewExtent getColumns(int64_t first, int64_t count) const {
    return {memory, offset + first, rows, stride, count, step, distance};
  }
  /// Whether both cover the same elements in the same order.
  bool operator==(const ViewExtent &other) const;
  /// Whether no element is in both.
  bool isApartFrom(const ViewExtent &other) const;

private:
  int64_t begin() const;
  int64_t end() const;
};

} // namespace mlir::nnet3::kernel

#endif // NNET3_LIB_DIALECT_KERNEL_TRANSFORMS_VIEWEXTENT_H
