//===- ColumnStretches.cpp - Columns that are copied together -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ColumnStretches.h"

#include <numeric>

using namespace mlir;
using namespace mlir::nnet3;

ColumnStretches::ColumnStretches(ArrayRef<int64_t> columns) {
  length = columns.size();
  for (size_t i = 1; i < columns.size(); ++i)
    if (columns[i] != columns[i - 1] + 1)
      length = std::gcd(length, int64_t(i));
  for (size_t i = 0; i < columns.size(); i += length)
    begins.push_back(columns[i]);
}

void ColumnStretches::emitCopy(RowEmission &row, unsigned list,
                               function_ref<Value(Value)> load) const {
  ScalarArithmetic &a = row;
  row.forEachOf(begins.size(), length, [&](Value stretch, Value c) {
    Value from = a.shift(row.loadIndex(list, stretch), c);
    row.store(load(from), a.shift(a.scale(stretch, length), c));
  });
}
