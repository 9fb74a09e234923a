//===- UpdateBody.cpp - Bodies of the kernels of training steps -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "UpdateBody.h"
#include "nnet3/Conversion/KernelToThreads/DeviceLoops.h"

using namespace mlir;
using namespace mlir::nnet3;

UpdateBody::Elements::Elements(UpdateBody &b, Value rows, Value numColumns) {
  Type i32 = b.builder.getI32Type();
  std::tie(begin, end) = b.getRange(b.multiplyIndex(rows, numColumns));
  // Nothing is divided by zero where there are no elements.
  numColumns =
      arith::MaxUIOp::create(b.builder, b.loc, numColumns, b.e.index(1));
  row = arith::DivUIOp::create(b.builder, b.loc, begin, numColumns);
  Value first = arith::RemUIOp::create(b.builder, b.loc, begin, numColumns);
  column = arith::IndexCastUIOp::create(b.builder, b.loc, i32, first);
  columns = arith::IndexCastUIOp::create(b.builder, b.loc, i32, numColumns);
}

/// Row and column of element `i`.
std::pair<Value, Value> UpdateBody::Elements::locate(UpdateBody &b,
                                                     Value i) const {
  Type i32 = b.builder.getI32Type(), index = b.builder.getIndexType();
  Value distance = arith::SubIOp::create(b.builder, b.loc, i, begin);
  distance = arith::IndexCastUIOp::create(b.builder, b.loc, i32, distance);
  Value at = arith::AddIOp::create(b.builder, b.loc, distance, column);
  Value rows = arith::DivUIOp::create(b.builder, b.loc, at, columns);
  Value rest = arith::RemUIOp::create(b.builder, b.loc, at, columns);
  return {
      b.e.add(row, arith::IndexCastUIOp::create(b.builder, b.loc, index, rows)),
      arith::IndexCastUIOp::create(b.builder, b.loc, index, rest)};
}

Value UpdateBody::reduce(Value begin, Value end,
                         function_ref<Value(Value)> body) {
  return sumOverThreads(e, begin, end, 1, [&](Value i) {
    return SmallVector<Value>{body(i)};
  })[0];
}
