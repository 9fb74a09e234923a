//===- ColumnSlices.cpp - Columns that are copied together ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ColumnSlices.h"

#include <numeric>

using namespace mlir;
using namespace mlir::nnet3;

ColumnSlices::ColumnSlices(ArrayRef<int64_t> columns) {
  length = columns.size();
  for (size_t i = 1; i < columns.size(); ++i)
    if (columns[i] != columns[i - 1] + 1)
      length = std::gcd(length, int64_t(i));
  for (size_t i = 0; i < columns.size(); i += length)
    begins.push_back(columns[i]);
}

void ColumnSlices::emitCopy(RowEmission &row, unsigned list,
                            function_ref<Value(Value)> load) const {
  ScalarArithmetic &a = row;
  row.forEachOf(begins.size(), length, [&](Value slice, Value c) {
    Value from = a.shift(row.loadIndex(list, slice), c);
    row.store(load(from), a.shift(a.scale(slice, length), c));
  });
}
