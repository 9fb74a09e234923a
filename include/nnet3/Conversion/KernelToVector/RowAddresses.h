//===- RowAddresses.h - Where the rows of a view begin ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_KERNELTOVECTOR_ROWADDRESSES_H
#define NNET3_CONVERSION_KERNELTOVECTOR_ROWADDRESSES_H

#include "nnet3/Conversion/KernelToVector/BuilderUtils.h"

#include <optional>

namespace mlir::nnet3::kernel {

/// The rows of a view as offsets in the memory that it is a view of. Flat
/// offsets leave the arithmetic of all rows and columns in one place, where
/// LLVM shares it.
class RowAddresses {
public:
  /// The rows of `view`, a result of `memref.reinterpret_cast`, a
  /// `memref.subview` or `kernel.narrow` of one, or `kernel.indexed_rows`.
  /// Fails with an error of `op`, which uses it, for all others.
  static FailureOr<RowAddresses> get(ImplicitLocOpBuilder &b, Operation *op,
                                     Value view);

  Value getMemory() const { return memory; }
  Value getTable() const { return table; }
  /// The offset of row 0; of rows in a table the entry that has it.
  Value getFirst(ImplicitLocOpBuilder &b) const {
    return addIndex(b, begin, firstColumn);
  }
  int64_t getStride() const { return stride; }
  int64_t getColumnStride() const { return columnStride; }
  /// Whether a table says where each row is, and that some are absent.
  bool hasTable() const { return bool(table); }
  /// The offset of the first column of row `row`; negative if it is absent.
  Value getRow(ImplicitLocOpBuilder &b, Value row) const;

private:
  Value memory, table;
  Value begin;        ///< of row 0, or of the rows in the table
  int64_t stride = 0; ///< from row to row
  int64_t columnStride = 1;
  int64_t firstColumn = 0; ///< as an offset
};

/// Calls `there` where `offset` is not negative, else `absent` if it is given.
void ifPresent(ImplicitLocOpBuilder &b, Value offset,
               function_ref<void()> there, function_ref<void()> absent = {});

} // namespace mlir::nnet3::kernel

#endif // NNET3_CONVERSION_KERNELTOVECTOR_ROWADDRESSES_H
