//===- RowTables.h - Tables of places of rows -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_NNET3TOKERNELS_ARENA_ROWTABLES_H
#define NNET3_CONVERSION_NNET3TOKERNELS_ARENA_ROWTABLES_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <vector>

namespace mlir::nnet3 {

/// Places of rows: of one table after another.
class RowTables {
public:
  /// Where the table `rows` begins.
  int64_t add(ArrayRef<int64_t> rows);
  ArrayRef<int32_t> getValues() const { return values; }

private:
  std::vector<int32_t> values;
  DenseMap<size_t, SmallVector<std::pair<int64_t, int64_t>, 1>> known;
};

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_NNET3TOKERNELS_ARENA_ROWTABLES_H
