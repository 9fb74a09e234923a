//===- VectorEmitter.cpp - Short names for vector and loop ops ------------===//

#include "VectorEmitter.h"

using namespace mlir;
using namespace mlir::nnet3;

ValueRange
VectorEmitter::loop(Value begin, Value end, int64_t step, ValueRange inits,
                    function_ref<SmallVector<Value>(Value, ValueRange)> body) {
  auto loop = scf::ForOp::create(
      builder, loc, begin, end, index(step), inits,
      [&](OpBuilder &, Location, Value i, ValueRange carried) {
        scf::YieldOp::create(builder, loc, body(i, carried));
      });
  return loop.getResults();
}

void VectorEmitter::loop(Value begin, Value end, int64_t step,
                         function_ref<void(Value)> body) {
  loop(begin, end, step, {}, [&](Value i, ValueRange) {
    body(i);
    return SmallVector<Value>();
  });
}

void VectorEmitter::forEach(int64_t count, int64_t step,
                            function_ref<void(Value)> body) {
  if (count > step)
    loop(index(0), index(count), step, body);
  else if (count > 0)
    body(index(0));
}

void VectorEmitter::ifEqual(Value a, Value b, function_ref<void()> body) {
  Value equal =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, a, b);
  scf::IfOp::create(builder, loc, equal, [&](OpBuilder &, Location) {
    body();
    scf::YieldOp::create(builder, loc);
  });
}
