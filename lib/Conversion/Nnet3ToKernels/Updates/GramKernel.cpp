//===- GramKernel.cpp - The Gram matrix of a basis ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "UpdateBody.h"

using namespace mlir;
using namespace mlir::nnet3;

/// Stores an f64 as the nearest float followed by the remainder.
static void storeSplit(UpdateBody &b, Value number, Value to) {
  Type f32 = b.builder.getF32Type(), f64 = b.builder.getF64Type();
  Value nearest = arith::TruncFOp::create(b.builder, f32, number);
  Value rest = arith::SubFOp::create(
      b.builder, number, arith::ExtFOp::create(b.builder, f64, nearest));
  b.store(nearest, to);
  b.store(arith::TruncFOp::create(b.builder, f32, rest),
          addIndex(b.builder, to, 1));
}

/// Sums `body` over `begin`, `begin` + `step`, ... in f64.
static Value sumDouble(UpdateBody &b, Value begin, Value end, Value step,
                       function_ref<Value(Value)> body) {
  Value zero =
      arith::ConstantOp::create(b.builder, b.builder.getF64FloatAttr(0));
  auto loop = scf::ForOp::create(
      b.builder, begin, end, step, zero,
      [&](OpBuilder &, Location, Value i, ValueRange carried) {
        scf::YieldOp::create(b.builder, b.add(carried[0], body(i)));
      });
  return loop.getResult(0);
}

/// The block's threads are divided evenly among its elements; the threads of an
/// element sum parts of its terms, and one thread adds the partial sums.
void mlir::nnet3::emitGram(UpdateBody &b) {
  ImplicitLocOpBuilder &builder = b.builder;
  Value rows = b.getPlace(2), columns = b.getPlace(3);
  Value threads = arith::ConstantIndexOp::create(builder, kUpdateThreads),
        one = arith::ConstantIndexOp::create(builder, 1);
  Value count = mulIndex(builder, rows, rows);
  auto [begin, end] = b.getRange(count);
  auto max = [&](Value x, Value y) -> Value {
    return arith::MaxSIOp::create(builder, x, y);
  };
  auto divide = [&](Value x, Value y) -> Value {
    return arith::DivUIOp::create(builder, x, y);
  };
  auto remainder = [&](Value x, Value y) -> Value {
    return arith::RemUIOp::create(builder, x, y);
  };
  Value parts = max(divide(threads, max(b.getShare(count), one)), one);
  Value isAlone =
      arith::CmpIOp::create(builder, arith::CmpIPredicate::eq, parts, one);
  Value sums = memref::AllocaOp::create(
      builder, MemRefType::get({kUpdateThreads}, builder.getF64Type()));
  auto getTo = [&](Value i) {
    return addIndex(builder, b.getPlace(0), mulIndex(builder, i, 2));
  };
  auto load = [&](Value row, Value k) -> Value {
    Value x = b.load(/*from=*/true, b.getPlace(b.getPlace(1), row, columns, k));
    return arith::ExtFOp::create(builder, builder.getF64Type(), x);
  };
  Value zero = arith::ConstantIndexOp::create(builder, 0);
  parallelFor(
      builder, zero, threads, [&, begin = begin, end = end](ValueRange at) {
        Value part = remainder(at[0], parts);
        Value first = addIndex(builder, begin, divide(at[0], parts));
        forEachStep(builder, first, end, kUpdateThreads, [&](Value i) {
          Value row = divide(i, rows), column = remainder(i, rows);
          Value sum = sumDouble(b, part, columns, parts, [&](Value k) {
            return b.multiply(load(row, k), load(column, k));
          });
          memref::StoreOp::create(builder, sum, sums, at[0]);
          scf::IfOp::create(builder, isAlone, [&](OpBuilder &, Location) {
            storeSplit(b, sum, getTo(i));
            scf::YieldOp::create(builder);
          });
        });
      });
  Value last = b.select(isAlone, begin, end);
  parallelFor(builder, begin, last, [&, begin = begin](ValueRange at) {
    Value number = arith::SubIOp::create(builder, at[0], begin);
    Value first = mulIndex(builder, number, parts);
    Value sum =
        sumDouble(b, first, addIndex(builder, first, parts), one, [&](Value i) {
          return memref::LoadOp::create(builder, sums, i);
        });
    storeSplit(b, sum, getTo(at[0]));
  });
}
