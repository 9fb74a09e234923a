//===- WrittenParts.cpp - Written parts of a matrix -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "WrittenParts.h"

using namespace mlir;
using namespace mlir::nnet3;

WrittenParts::WrittenParts(int64_t rows, int64_t columns) {
  if (columns > 0)
    slices.push_back(
        {0, columns, llvm::BitVector(rows), llvm::BitVector(rows)});
}

/// Splits the slice of columns that contains `column`, such that a slice starts
/// there.
void WrittenParts::splitAt(int64_t column) {
  for (size_t i = 0; i < slices.size(); ++i) {
    const int64_t left = column - slices[i].firstColumn;
    if (left <= 0 || left >= slices[i].columns)
      continue;
    Slice right = slices[i];
    right.firstColumn = column;
    right.columns -= left;
    slices[i].columns = left;
    slices.insert(slices.begin() + i + 1, std::move(right));
    return;
  }
}

void WrittenParts::forEach(const WrittenPart &part,
                           function_ref<void(Slice &, int64_t)> body) {
  const int64_t end = part.firstColumn + part.columns;
  splitAt(part.firstColumn);
  splitAt(end);
  for (Slice &slice : slices)
    if (slice.firstColumn >= part.firstColumn && slice.firstColumn < end)
      for (int64_t i = 0; i < part.rows; ++i)
        body(slice, part.firstRow + i * part.rowStep);
}

bool WrittenParts::isNew(const WrittenPart &part) {
  bool isNew = true;
  forEach(part, [&](Slice &slice, int64_t row) {
    isNew &= !slice.written.test(row);
  });
  return isNew;
}

void WrittenParts::write(const WrittenPart &part) {
  forEach(part, [](Slice &slice, int64_t row) { slice.written.set(row); });
}

void WrittenParts::add(const WrittenPart &part) {
  forEach(part, [](Slice &slice, int64_t row) {
    if (!slice.written.test(row))
      slice.zero.set(row);
    slice.written.set(row);
  });
}

bool WrittenParts::put(const WrittenPart &part) {
  if (isNew(part)) {
    write(part);
    return true;
  }
  add(part);
  return false;
}

SmallVector<WrittenPart> WrittenParts::getZeros() const {
  SmallVector<WrittenPart> zeros;
  for (const Slice &slice : slices) {
    llvm::BitVector rows = slice.written;
    rows.flip();
    rows |= slice.zero;
    for (int begin = rows.find_first(); begin >= 0;) {
      const int found = rows.find_next_unset(begin);
      const int end = found < 0 ? rows.size() : found;
      zeros.push_back({begin, end - begin, slice.firstColumn, slice.columns});
      begin = end < int(rows.size()) ? rows.find_next(end) : -1;
    }
  }
  return zeros;
}
