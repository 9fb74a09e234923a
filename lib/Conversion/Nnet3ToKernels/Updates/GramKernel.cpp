//===- GramKernel.cpp - Products of a basis with itself -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "UpdateBody.h"

using namespace mlir;
using namespace mlir::nnet3;

/// Stores a number in double precision as the float next to it and the rest
/// behind that.
static void storeSplit(UpdateBody &b, Value number, Value to) {
  Type f32 = b.builder.getF32Type(), f64 = b.builder.getF64Type();
  Value nearest = arith::TruncFOp::create(b.builder, b.loc, f32, number);
  Value rest = arith::SubFOp::create(
      b.builder, b.loc, number,
      arith::ExtFOp::create(b.builder, b.loc, f64, nearest));
  b.store(nearest, to);
  b.store(arith::TruncFOp::create(b.builder, b.loc, f32, rest), b.e.add(to, 1));
}

/// The sum of `body` in double precision for `begin`, `begin` + `step`, ...
static Value sumDouble(UpdateBody &b, Value begin, Value end, Value step,
                       function_ref<Value(Value)> body) {
  Value zero =
      arith::ConstantOp::create(b.builder, b.loc, b.builder.getF64FloatAttr(0));
  auto loop = scf::ForOp::create(
      b.builder, b.loc, begin, end, step, zero,
      [&](OpBuilder &, Location loc, Value i, ValueRange carried) {
        scf::YieldOp::create(b.builder, loc, b.add(carried[0], body(i)));
      });
  return loop.getResult(0);
}

/// As many threads as there are for each of the block's elements add up its
/// terms; one adds up their sums.
void mlir::nnet3::emitGram(UpdateBody &b) {
  VectorEmitter &e = b.e;
  Value rows = b.getPlace(2), columns = b.getPlace(3);
  Value threads = e.index(kUpdateThreads), one = e.index(1);
  Value count = b.multiplyIndex(rows, rows);
  auto [begin, end] = b.getRange(count);
  auto max = [&](Value x, Value y) -> Value {
    return arith::MaxSIOp::create(b.builder, b.loc, x, y);
  };
  auto divide = [&](Value x, Value y) -> Value {
    return arith::DivUIOp::create(b.builder, b.loc, x, y);
  };
  auto remainder = [&](Value x, Value y) -> Value {
    return arith::RemUIOp::create(b.builder, b.loc, x, y);
  };
  Value parts = max(divide(threads, max(b.getShare(count), one)), one);
  Value isAlone = arith::CmpIOp::create(b.builder, b.loc,
                                        arith::CmpIPredicate::eq, parts, one);
  Value sums = memref::AllocaOp::create(
      b.builder, b.loc,
      MemRefType::get({kUpdateThreads}, b.builder.getF64Type()));
  auto getTo = [&](Value i) { return e.add(b.getPlace(0), e.mul(i, 2)); };
  auto load = [&](Value row, Value k) -> Value {
    Value x = b.load(/*from=*/true, b.getPlace(b.getPlace(1), row, columns, k));
    return arith::ExtFOp::create(b.builder, b.loc, b.builder.getF64Type(), x);
  };
  e.parallel(e.index(0), threads, [&, begin = begin, end = end](ValueRange at) {
    Value part = remainder(at[0], parts);
    Value first = e.add(begin, divide(at[0], parts));
    e.loop(first, end, kUpdateThreads, [&](Value i) {
      Value row = divide(i, rows), column = remainder(i, rows);
      Value sum = sumDouble(b, part, columns, parts, [&](Value k) {
        return b.multiply(load(row, k), load(column, k));
      });
      memref::StoreOp::create(b.builder, b.loc, sum, sums, at[0]);
      scf::IfOp::create(b.builder, b.loc, isAlone,
                        [&](OpBuilder &, Location loc) {
                          storeSplit(b, sum, getTo(i));
                          scf::YieldOp::create(b.builder, loc);
                        });
    });
  });
  Value last = b.select(isAlone, begin, end);
  e.parallel(begin, last, [&, begin = begin](ValueRange at) {
    Value number = arith::SubIOp::create(b.builder, b.loc, at[0], begin);
    Value first = b.multiplyIndex(number, parts);
    Value sum = sumDouble(b, first, e.add(first, parts), one, [&](Value i) {
      return memref::LoadOp::create(b.builder, b.loc, sums, i);
    });
    storeSplit(b, sum, getTo(at[0]));
  });
}
