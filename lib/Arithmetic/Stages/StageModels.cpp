//===- StageModels.cpp - What components of several stages share ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "StageModels.h"

#include "nnet3/Dialect/Nnet3/IR/RowTable.h"

using namespace mlir;
using namespace mlir::nnet3;

SmallVector<int64_t> mlir::nnet3::getPrecomputedRows(DictionaryAttr precomputed,
                                                     StringRef name) {
  SmallVector<int64_t> numbers;
  row_table::Cursor cursor(precomputed.getAs<RowTableAttr>(name).getCode());
  while (std::optional<RowRef> row = cursor.next())
    numbers.push_back(row->isNone() ? -1 : row->row);
  return numbers;
}
