//===- ThreadRows.cpp - Rows by blocks of threads -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ThreadRows.h"

#include "mlir/Dialect/Math/IR/Math.h"

#include <limits>

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::kernel;

/// Whether blocks of threads can compute slices of columns independently.
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
    forEachSlice(b, rows, getColumns(), [&](Value row, const Slice &columns) {
      slice = columns;
      result = emitRow(row, arith::ConstantIndexOp::create(b, 0));
    });
    return result;
  }
  parallelFor(b, {rows, int64_t(op.getParts())},
              [&](ValueRange at) { result = emitRow(at[0], at[1]); });
  return result;
}

void ThreadRows::forEach(int64_t count, function_ref<void(Value)> body,
                         ColumnLoop) {
  Value begin = arith::ConstantIndexOp::create(b, 0),
        end = arith::ConstantIndexOp::create(b, count);
  if (slice) {
    begin = slice->begin;
    end = arith::MinSIOp::create(b, slice->end, end);
  }
  parallelFor(b, begin, end, [&](ValueRange column) { body(column[0]); });
}

void ThreadRows::forEachOf(int64_t blocks, int64_t count,
                           function_ref<void(Value, Value)> body,
                           ColumnLoop loop) {
  auto emit = [&](Value i) {
    Value columns = arith::ConstantIndexOp::create(b, count);
    body(arith::DivUIOp::create(b, i, columns),
         arith::RemUIOp::create(b, i, columns));
  };
  forEach(blocks * count, emit, loop);
}

template <typename OpTy>
Value ThreadRows::reduce(int64_t count, float neutral, ColumnBody body) {
  Value begin = arith::ConstantIndexOp::create(b, 0);
  Value end = arith::ConstantIndexOp::create(b, count);
  Value step = arith::ConstantIndexOp::create(b, 1);
  Value init = arith::ConstantOp::create(b, b.getF32FloatAttr(neutral));
  auto loop = scf::ParallelOp::create(
      b, begin, end, step, init,
      [&](OpBuilder &, Location, ValueRange column, ValueRange) {
        Value element = body(column[0]);
        auto end = scf::ReduceOp::create(b, element);
        OpBuilder::InsertionGuard guard(b);
        Block &block = end.getReductions().front().front();
        b.setInsertionPointToStart(&block);
        Value both =
            OpTy::create(b, block.getArgument(0), block.getArgument(1));
        scf::ReduceReturnOp::create(b, both);
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
      auto [x, y] = body(i, column);
      return arith::MulFOp::create(b, x, y);
    });
  });
}

/// Each thread computes the whole softmax.
SmallVector<Value> ThreadRows::softmax(ArrayRef<Value> numbers) {
  Value largest = numbers[0],
        total = arith::ConstantOp::create(b, b.getF32FloatAttr(0));
  for (Value number : numbers.drop_front())
    largest = arith::MaximumFOp::create(b, largest, number);
  SmallVector<Value> powers;
  for (Value number : numbers) {
    Value shifted = arith::SubFOp::create(b, number, largest);
    powers.push_back(math::ExpOp::create(b, shifted));
    total = arith::AddFOp::create(b, total, powers.back());
  }
  Value factor = arith::DivFOp::create(
      b, arith::ConstantOp::create(b, b.getF32FloatAttr(1)), total);
  for (Value &power : powers)
    power = arith::MulFOp::create(b, power, factor);
  return powers;
}
