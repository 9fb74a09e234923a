//===- RowTables.cpp - Tables of row offsets ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RowTables.h"

#include "llvm/ADT/Hashing.h"

using namespace mlir;
using namespace mlir::nnet3;

int64_t RowTables::add(ArrayRef<int64_t> rows) {
  auto &candidates = known[llvm::hash_combine_range(rows)];
  for (auto [begin, size] : candidates)
    if (size == int64_t(rows.size()) &&
        std::equal(rows.begin(), rows.end(), values.begin() + begin))
      return begin;
  int64_t begin = values.size();
  candidates.push_back({begin, rows.size()});
  values.insert(values.end(), rows.begin(), rows.end());
  llvm::append_range(
      code, row_table::encode(llvm::map_to_vector(rows, [](int64_t row) {
        assert(row >= -1 && "an offset, or no row");
        return row < 0 ? RowRef::none() : RowRef{0, row};
      })));
  return begin;
}
