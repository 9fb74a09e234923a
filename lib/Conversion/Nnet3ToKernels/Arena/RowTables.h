//===- RowTables.h - Tables of row offsets ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_NNET3TOKERNELS_ARENA_ROWTABLES_H
#define NNET3_CONVERSION_NNET3TOKERNELS_ARENA_ROWTABLES_H

#include "nnet3/Dialect/Nnet3/IR/RowTable.h"

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <vector>

namespace mlir::nnet3 {

/// Offsets of rows; the tables are stored one after another.
class RowTables {
public:
  /// Adds the table `rows`, in which -1 means no row; returns its first entry.
  int64_t add(ArrayRef<int64_t> rows);
  /// Number of entries of all tables.
  int64_t getSize() const { return values.size(); }
  /// Returns the code of all entries, with loops for regular tables.
  ArrayRef<int64_t> getCode() const { return code; }

private:
  std::vector<int32_t> values;
  row_table::Code code;
  DenseMap<size_t, SmallVector<std::pair<int64_t, int64_t>, 1>> known;
};

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_NNET3TOKERNELS_ARENA_ROWTABLES_H
