//===- RowAddresses.h - The offsets of the rows of a view -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_KERNELTOVECTOR_ROWADDRESSES_H
#define NNET3_CONVERSION_KERNELTOVECTOR_ROWADDRESSES_H

#include "nnet3/Conversion/KernelToVector/BuilderUtils.h"

#include <optional>

namespace mlir::nnet3::kernel {

/// The rows of a view as offsets in the underlying memory. With flat offsets,
/// LLVM can share the address arithmetic of rows and columns.
class RowAddresses {
public:
  /// Returns the rows of `view`, a result of `memref.reinterpret_cast`, a
  /// `memref.subview` or `kernel.narrow` of one, or of `kernel.indexed_rows`.
  /// Emits an error at `op`, the user of the view, for all others.
  static FailureOr<RowAddresses> get(ImplicitLocOpBuilder &b, Operation *op,
                                     Value view);

  Value getMemory() const { return memory; }
  Value getTable() const { return table; }
  /// The offset of row 0, or the entry of row 0 in the table.
  Value getFirst(ImplicitLocOpBuilder &b) const {
    return addIndex(b, begin, firstColumn);
  }
  int64_t getStride() const { return stride; }
  int64_t getColumnStride() const { return columnStride; }
  /// Whether a table lists the offsets of the rows; some may be absent.
  bool hasTable() const { return bool(table); }
  /// The offset of the first column of row `row`; negative if it is absent.
  Value getRow(ImplicitLocOpBuilder &b, Value row) const;

private:
  Value memory, table;
  Value begin;        ///< offset of row 0, or its entry in the table
  int64_t stride = 0; ///< between rows
  int64_t columnStride = 1;
  int64_t firstColumn = 0; ///< offset of the first column in a row
};

/// Emits an `scf.if` with `there` if `offset` is not negative, else `absent`.
void ifPresent(ImplicitLocOpBuilder &b, Value offset,
               function_ref<void()> there, function_ref<void()> absent = {});

} // namespace mlir::nnet3::kernel

#endif // NNET3_CONVERSION_KERNELTOVECTOR_ROWADDRESSES_H
