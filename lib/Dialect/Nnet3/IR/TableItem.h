//===- TableItem.h - The items of a row table's code ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_LIB_DIALECT_NNET3_IR_TABLEITEM_H
#define NNET3_LIB_DIALECT_NNET3_IR_TABLEITEM_H

#include "nnet3/Dialect/Nnet3/IR/RowTable.h"

#include "mlir/Support/LLVM.h"

namespace mlir::nnet3::row_table {

/// One item of a code.
struct TableItem {
  ArrayRef<int64_t> words;

  bool isNone() const { return words[0] == kNone; }
  bool isRow() const { return words[0] == kRow; }
  bool isLoop() const { return words[0] == kLoop; }
  int64_t source() const { return words[1]; }
  int64_t row() const { return words[2]; }
  int64_t count() const { return words[1]; }
  int64_t stride() const { return words[2]; }
  ArrayRef<int64_t> body() const { return words.drop_front(4); }
};

/// Splits well-formed code into items.
inline SmallVector<TableItem> getItems(ArrayRef<int64_t> code) {
  SmallVector<TableItem> items;
  while (!code.empty()) {
    size_t length = code[0] == kNone  ? 1
                    : code[0] == kRow ? 3
                                      : 4 + size_t(code[3]);
    items.push_back({code.take_front(length)});
    code = code.drop_front(length);
  }
  return items;
}

} // namespace mlir::nnet3::row_table

#endif // NNET3_LIB_DIALECT_NNET3_IR_TABLEITEM_H
