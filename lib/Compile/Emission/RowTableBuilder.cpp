//===- RowTableBuilder.cpp - Row tables of folded rows --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Compile/RowTableBuilder.h"

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::row_table;

/// Returns the row of each entry for sequence `k`, plus `shift`.
static SmallVector<RowRef> rowsOf(ArrayRef<RowRef> entries, int64_t k,
                                  ArrayRef<const IndexRows *> sources,
                                  int64_t shift) {
  SmallVector<RowRef> rows(entries);
  for (RowRef &row : rows)
    if (!row.isNone())
      row.row = sources[row.source]->rowOf(row.row, k) + shift;
  return rows;
}

/// Returns the distance between rows of neighbouring sequences if it is the
/// same for all sources of `entries`.
static std::optional<int64_t>
commonStride(ArrayRef<RowRef> entries, ArrayRef<const IndexRows *> sources) {
  std::optional<int64_t> stride;
  for (const RowRef &entry : entries) {
    if (entry.isNone())
      continue;
    int64_t block = sources[entry.source]->block;
    if (stride && *stride != block)
      return std::nullopt;
    stride = block;
  }
  return stride.value_or(0);
}

/// Replaces every row of `code` by a loop over the sequences.
static void repeatRows(ArrayRef<int64_t> code, int64_t count,
                       ArrayRef<const IndexRows *> sources, Code &result) {
  while (!code.empty()) {
    if (code[0] == kNone) {
      appendLoop(result, count, 0, code.take_front(1));
      code = code.drop_front(1);
    } else if (code[0] == kRow) {
      appendLoop(result, count, sources[code[1]]->block, code.take_front(3));
      code = code.drop_front(3);
    } else {
      Code body;
      repeatRows(code.slice(4, code[3]), count, sources, body);
      appendLoop(result, code[1], code[2], body);
      code = code.drop_front(4 + code[3]);
    }
  }
}

RowTableAttr mlir::nnet3::buildRowTable(MLIRContext *context,
                                        ArrayRef<RowRef> entries,
                                        const IndexRows &dest,
                                        ArrayRef<const IndexRows *> sources,
                                        int64_t shift) {
  int64_t count = dest.numSequences(), block = dest.block;
  Code code;
  if (count == 1) {
    code = encode(rowsOf(entries, 0, sources, shift));
  } else if (block == 1) {
    repeatRows(encode(rowsOf(entries, 0, sources, shift)), count, sources,
               code);
  } else {
    for (size_t first = 0; first < entries.size(); first += block) {
      ArrayRef<RowRef> group = entries.slice(first, block);
      if (std::optional<int64_t> stride = commonStride(group, sources)) {
        appendLoop(code, count, *stride,
                   encode(rowsOf(group, 0, sources, shift)));
        continue;
      }
      for (int64_t k = 0; k < count; ++k)
        code.append(encode(rowsOf(group, k, sources, shift)));
    }
    code = compress(code);
  }
  return RowTableAttr::get(context, ArrayRef<int64_t>(code));
}

bool mlir::nnet3::isIdentity(ArrayRef<RowRef> entries, const IndexRows &dest,
                             const IndexRows &source) {
  if (entries.size() != source.rows.size() ||
      (dest.numSequences() > 1 && dest.block != source.block))
    return false;
  for (auto [i, entry] : llvm::enumerate(entries))
    if (entry.isNone() || entry.row != int64_t(i))
      return false;
  return true;
}
