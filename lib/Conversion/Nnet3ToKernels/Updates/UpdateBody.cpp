//===- UpdateBody.cpp - Bodies of training-step kernels -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "UpdateBody.h"
#include "nnet3/Conversion/KernelToThreads/DeviceLoops.h"

using namespace mlir;
using namespace mlir::nnet3;

UpdateBody::Elements::Elements(UpdateBody &b, Value rows, Value numColumns) {
  Type i32 = b.builder.getI32Type();
  std::tie(begin, end) = b.getRange(mulIndex(b.builder, rows, numColumns));
  // Avoids a division by zero if there are no elements.
  numColumns = arith::MaxUIOp::create(
      b.builder, numColumns, arith::ConstantIndexOp::create(b.builder, 1));
  row = arith::DivUIOp::create(b.builder, begin, numColumns);
  Value first = arith::RemUIOp::create(b.builder, begin, numColumns);
  column = arith::IndexCastUIOp::create(b.builder, i32, first);
  columns = arith::IndexCastUIOp::create(b.builder, i32, numColumns);
}

/// Returns row and column of element `i`.
std::pair<Value, Value> UpdateBody::Elements::locate(UpdateBody &b,
                                                     Value i) const {
  Type i32 = b.builder.getI32Type(), index = b.builder.getIndexType();
  Value distance = arith::SubIOp::create(b.builder, i, begin);
  distance = arith::IndexCastUIOp::create(b.builder, i32, distance);
  Value at = arith::AddIOp::create(b.builder, distance, column);
  Value rows = arith::DivUIOp::create(b.builder, at, columns);
  Value rest = arith::RemUIOp::create(b.builder, at, columns);
  return {addIndex(b.builder, row,
                   arith::IndexCastUIOp::create(b.builder, index, rows)),
          arith::IndexCastUIOp::create(b.builder, index, rest)};
}

Value UpdateBody::reduce(Value begin, Value end,
                         function_ref<Value(Value)> body) {
  return ScalarArithmetic(builder, builder.getLoc())
      .sumOverThreads(begin, end, 1,
                      [&](Value i) { return SmallVector<Value>{body(i)}; })[0];
}
