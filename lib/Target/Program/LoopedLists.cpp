//===- LoopedLists.cpp - Integer lists encoded as loops -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Target/Program/LoopedLists.h"

using namespace mlir;
using namespace mlir::nnet3;

namespace {
enum Item : int32_t { kValue = 0, kNone = 1, kLoop = 2 };

/// How the items of a row table are translated.
struct Translation {
  llvm::function_ref<int64_t(int64_t source, int64_t row)> getValue;
  /// Whether loops keep their strides.
  bool keepsStrides;
};
} // namespace

/// Appends the code of a row table's items. Returns false if a word exceeds 32
/// bits.
static bool append(ArrayRef<int64_t> code, const Translation &translation,
                   ListCode &words) {
  auto add = [&](int64_t word) {
    words.push_back(static_cast<int32_t>(word));
    return llvm::isInt<32>(word);
  };
  while (!code.empty()) {
    if (code[0] == row_table::kNone) {
      add(kNone);
      code = code.drop_front(1);
    } else if (code[0] == row_table::kRow) {
      add(kValue);
      if (!add(translation.getValue(code[1], code[2])))
        return false;
      code = code.drop_front(3);
    } else {
      const int64_t length = code[3];
      add(kLoop);
      if (!add(code[1]) || !add(translation.keepsStrides ? code[2] : 0))
        return false;
      const size_t begin = words.size();
      add(0);
      if (!append(code.slice(4, length), translation, words))
        return false;
      words[begin] = static_cast<int32_t>(words.size() - begin - 1);
      code = code.drop_front(4 + length);
    }
  }
  return true;
}

ListCode mlir::nnet3::getRowList(RowTableAttr table) {
  ListCode words;
  [[maybe_unused]] bool fits = append(
      table.getCode(), {[](int64_t, int64_t row) { return row; }, true}, words);
  assert(fits && "rows have 31 bits");
  return words;
}

ListCode mlir::nnet3::getSourceList(RowTableAttr table,
                                    ArrayRef<int32_t> numbers) {
  ListCode words;
  auto getNumber = [&](int64_t source, int64_t) -> int64_t {
    return numbers[source];
  };
  append(table.getCode(), {getNumber, false}, words);
  return words;
}

ListCode mlir::nnet3::getIntegerList(ArrayRef<int32_t> values) {
  SmallVector<RowRef> rows;
  for (int32_t value : values)
    rows.push_back({0, value});
  ListCode words;
  if (append(row_table::encode(rows),
             {[](int64_t, int64_t row) { return row; }, true}, words))
    return words;
  // If a stride exceeds 32 bits, write the list without loops.
  words.clear();
  for (int32_t value : values)
    words.insert(words.end(), {kValue, value});
  return words;
}
