//===- UpdateBody.cpp - Bodies of the kernels of training steps -----------===//

#include "UpdateBody.h"

using namespace mlir;
using namespace mlir::nnet3;

UpdateBody::Elements::Elements(UpdateBody &b, Value rows, Value numColumns) {
  Type i32 = b.builder.getI32Type();
  std::tie(begin, end) = b.getRange(b.multiplyIndex(rows, numColumns));
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
  auto loop = scf::ParallelOp::create(
      builder, loc, begin, end, e.index(1), e.splat(1, 0),
      [&](OpBuilder &, Location, ValueRange at, ValueRange) {
        auto last = scf::ReduceOp::create(builder, loc, body(at[0]));
        OpBuilder::InsertionGuard guard(builder);
        Block &combination = last.getReductions().front().front();
        builder.setInsertionPointToStart(&combination);
        Value both =
            add(combination.getArgument(0), combination.getArgument(1));
        scf::ReduceReturnOp::create(builder, loc, both);
      });
  return loop.getResult(0);
}
