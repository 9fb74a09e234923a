//===- WrittenParts.cpp - What of a matrix has been written ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "WrittenParts.h"

using namespace mlir;
using namespace mlir::nnet3;

WrittenParts::WrittenParts(int64_t rows, int64_t columns) {
  if (columns > 0)
    stretches.push_back(
        {0, columns, llvm::BitVector(rows), llvm::BitVector(rows)});
}

/// Lets a stretch begin at `column`.
void WrittenParts::splitAt(int64_t column) {
  for (size_t i = 0; i < stretches.size(); ++i) {
    const int64_t left = column - stretches[i].firstColumn;
    if (left <= 0 || left >= stretches[i].columns)
      continue;
    Stretch right = stretches[i];
    right.firstColumn = column;
    right.columns -= left;
    stretches[i].columns = left;
    stretches.insert(stretches.begin() + i + 1, std::move(right));
    return;
  }
}

void WrittenParts::forEach(const WrittenPart &part,
                           function_ref<void(Stretch &, int64_t)> body) {
  const int64_t end = part.firstColumn + part.columns;
  splitAt(part.firstColumn);
  splitAt(end);
  for (Stretch &stretch : stretches)
    if (stretch.firstColumn >= part.firstColumn && stretch.firstColumn < end)
      for (int64_t i = 0; i < part.rows; ++i)
        body(stretch, part.firstRow + i * part.rowStep);
}

bool WrittenParts::isNew(const WrittenPart &part) {
  bool isNew = true;
  forEach(part, [&](Stretch &stretch, int64_t row) {
    isNew &= !stretch.written.test(row);
  });
  return isNew;
}

void WrittenParts::write(const WrittenPart &part) {
  forEach(part,
          [](Stretch &stretch, int64_t row) { stretch.written.set(row); });
}

void WrittenParts::add(const WrittenPart &part) {
  forEach(part, [](Stretch &stretch, int64_t row) {
    if (!stretch.written.test(row))
      stretch.zero.set(row);
    stretch.written.set(row);
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
  for (const Stretch &stretch : stretches) {
    llvm::BitVector rows = stretch.written;
    rows.flip();
    rows |= stretch.zero;
    for (int begin = rows.find_first(); begin >= 0;) {
      const int found = rows.find_next_unset(begin);
      const int end = found < 0 ? rows.size() : found;
      zeros.push_back(
          {begin, end - begin, stretch.firstColumn, stretch.columns});
      begin = end < int(rows.size()) ? rows.find_next(end) : -1;
    }
  }
  return zeros;
}
