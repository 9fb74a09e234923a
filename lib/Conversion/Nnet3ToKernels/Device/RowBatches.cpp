//===- RowBatches.cpp - Rows that matmuls read in place -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RowBatches.h"

#include "nnet3/Dialect/Nnet3/IR/RowTableAlgebra.h"

using namespace mlir;
using namespace mlir::nnet3;

/// Batches of fewer rows cost more than a copy that merges them.
static constexpr int64_t kMinBatchRows = 32;

static SmallVector<int64_t> getRows(RowTableAttr table) {
  SmallVector<int64_t> rows;
  row_table::Cursor cursor(table.getCode());
  while (std::optional<RowRef> row = cursor.next())
    rows.push_back(row->isNone() ? -1 : row->row);
  return rows;
}

/// Returns how many of the first `rows` are at equal distances.
static int64_t getProgressionLength(ArrayRef<int64_t> rows) {
  int64_t length = std::min<int64_t>(2, rows.size());
  while (length < int64_t(rows.size()) &&
         rows[length] - rows[length - 1] == rows[1] - rows[0])
    ++length;
  return length;
}

std::optional<RowBatches> nnet3::getBatches(RowTableAttr table) {
  if (auto all = row_table::getProgression(table.getCode())) {
    if (all->step <= 0)
      return std::nullopt;
    return RowBatches{all->start, all->step, all->count};
  }
  if (table.hasNone())
    return std::nullopt;
  SmallVector<int64_t> rows = getRows(table);
  const int64_t length = getProgressionLength(rows);
  const int64_t size = rows.size();
  if (length < kMinBatchRows || size % length)
    return std::nullopt;
  RowBatches result = {rows[0], rows[1] - rows[0], length, size / length,
                       rows[length] - rows[0]};
  if (result.step <= 0 || result.distance < 0)
    return std::nullopt;
  for (auto [i, row] : llvm::enumerate(rows))
    if (row != result.first + int64_t(i) / length * result.distance +
                   int64_t(i) % length * result.step)
      return std::nullopt;
  return result;
}
