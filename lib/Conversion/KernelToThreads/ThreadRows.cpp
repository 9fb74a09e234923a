//===- ThreadRows.cpp - A row by a block of threads -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ThreadRows.h"

#include "mlir/Dialect/Math/IR/Math.h"

#include <limits>

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::kernel;

/// Whether no block of threads has to know what another one has computed.
bool ThreadRows::isColumnwise() {
  return op.getParts() == 1 &&
         llvm::none_of(op.getBody().getOps(), [](Operation &inner) {
           return isa<ReduceColumnsOp, DotColumnsOp>(inner);
         });
}

int64_t ThreadRows::getColumns() {
  if (!isColumnwise())
    return op.getPartColumns();
  int64_t most = 1;
  for (auto loop : op.getBody().getOps<ForColumnsOp>())
    most = std::max(most, llvm::product_of(loop.getSizes()));
  return most;
}

LogicalResult ThreadRows::emitRows() {
  LogicalResult result = success();
  const int64_t rows = op.getOutput().getType().getDimSize(0);
  if (isColumnwise()) {
    forEachStretch(e, rows, getColumns(),
                   [&](Value row, const Stretch &columns) {
                     stretch = columns;
                     result = emitRow(row, e.index(0));
                   });
    return result;
  }
  e.parallel({e.index(0), e.index(0)}, {e.index(rows), e.index(op.getParts())},
             [&](ValueRange at) { result = emitRow(at[0], at[1]); });
  return result;
}

void ThreadRows::forEach(int64_t count, function_ref<void(Value)> body,
                         unsigned) {
  Value begin = e.index(0), end = e.index(count);
  if (stretch) {
    begin = stretch->begin;
    end = e.min(stretch->end, end);
  }
  e.parallel(begin, end, [&](ValueRange column) { body(column[0]); });
}

void ThreadRows::forEachOf(int64_t blocks, int64_t count,
                           function_ref<void(Value, Value)> body) {
  auto emit = [&](Value i) {
    Value columns = e.index(count);
    body(arith::DivUIOp::create(getBuilder(), getLoc(), i, columns),
         arith::RemUIOp::create(getBuilder(), getLoc(), i, columns));
  };
  forEach(blocks * count, emit, /*numSums=*/0);
}

template <typename OpTy>
Value ThreadRows::reduce(int64_t count, float neutral, ColumnBody body) {
  OpBuilder &builder = getBuilder();
  auto loop = scf::ParallelOp::create(
      builder, getLoc(), e.index(0), e.index(count), e.index(1),
      e.splat(1, neutral),
      [&](OpBuilder &, Location loc, ValueRange column, ValueRange) {
        Value element = body(column[0]);
        auto end = scf::ReduceOp::create(builder, loc, element);
        OpBuilder::InsertionGuard guard(builder);
        Block &block = end.getReductions().front().front();
        builder.setInsertionPointToStart(&block);
        Value both = OpTy::create(builder, loc, block.getArgument(0),
                                  block.getArgument(1));
        scf::ReduceReturnOp::create(builder, loc, both);
      });
  return loop.getResult(0);
}

Value ThreadRows::sum(int64_t count, ColumnBody body) {
  return reduce<arith::AddFOp>(count, 0, body);
}

Value ThreadRows::max(int64_t count, ColumnBody body) {
  return reduce<arith::MaximumFOp>(
      count, -std::numeric_limits<float>::infinity(), body);
}

SmallVector<Value>
ThreadRows::dots(unsigned number, int64_t count,
                 function_ref<std::pair<Value, Value>(unsigned, Value)> body) {
  return llvm::map_to_vector(llvm::seq(number), [&](unsigned i) {
    return sum(count, [&](Value column) -> Value {
      auto [a, b] = body(i, column);
      return arith::MulFOp::create(getBuilder(), getLoc(), a, b);
    });
  });
}

/// Each thread computes all of them.
SmallVector<Value> ThreadRows::softmax(ArrayRef<Value> numbers) {
  OpBuilder &builder = getBuilder();
  Location loc = getLoc();
  Value largest = numbers[0], total = e.splat(1, 0);
  for (Value number : numbers.drop_front())
    largest = arith::MaximumFOp::create(builder, loc, largest, number);
  SmallVector<Value> powers;
  for (Value number : numbers) {
    Value shifted = arith::SubFOp::create(builder, loc, number, largest);
    powers.push_back(math::ExpOp::create(builder, loc, shifted));
    total = arith::AddFOp::create(builder, loc, total, powers.back());
  }
  Value factor = arith::DivFOp::create(builder, loc, e.splat(1, 1), total);
  for (Value &power : powers)
    power = arith::MulFOp::create(builder, loc, power, factor);
  return powers;
}
