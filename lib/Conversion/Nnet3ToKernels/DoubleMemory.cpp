//===- DoubleMemory.cpp - Numbers in double precision ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DoubleMemory.h"

using namespace mlir;
using namespace mlir::nnet3;

Value mlir::nnet3::joinWords(OpBuilder &builder, Location loc, Value low,
                             Value high) {
  Type i64 = builder.getI64Type();
  Value bits = arith::ConstantIntOp::create(builder, loc, 32, 64);
  Value upper = arith::ShLIOp::create(
      builder, loc, arith::ExtUIOp::create(builder, loc, i64, high), bits);
  return arith::OrIOp::create(
      builder, loc, arith::ExtUIOp::create(builder, loc, i64, low), upper);
}

std::pair<Value, Value> mlir::nnet3::splitWords(OpBuilder &builder,
                                                Location loc, Value both) {
  Type i32 = builder.getI32Type();
  Value bits = arith::ConstantIntOp::create(builder, loc, 32, 64);
  Value upper = arith::ShRUIOp::create(builder, loc, both, bits);
  return {arith::TruncIOp::create(builder, loc, i32, both),
          arith::TruncIOp::create(builder, loc, i32, upper)};
}

Value mlir::nnet3::loadWord(VectorEmitter &e, Value memory, Value place) {
  OpBuilder &builder = e.getBuilder();
  return arith::BitcastOp::create(builder, e.getLoc(), builder.getI32Type(),
                                  e.loadScalar(memory, place));
}

Value mlir::nnet3::loadDouble(VectorEmitter &e, Value memory, Value place) {
  OpBuilder &builder = e.getBuilder();
  Value low = loadWord(e, memory, place),
        high = loadWord(e, memory, e.add(place, 1));
  return arith::BitcastOp::create(builder, e.getLoc(), builder.getF64Type(),
                                  joinWords(builder, e.getLoc(), low, high));
}

void mlir::nnet3::storeDouble(VectorEmitter &e, Value element, Value memory,
                              Value place) {
  OpBuilder &builder = e.getBuilder();
  Value bits = arith::BitcastOp::create(builder, e.getLoc(),
                                        builder.getI64Type(), element);
  auto [low, high] = splitWords(builder, e.getLoc(), bits);
  auto store = [&](Value word, Value to) {
    Value element = arith::BitcastOp::create(builder, e.getLoc(),
                                             builder.getF32Type(), word);
    e.store(element, memory, to);
  };
  store(low, place);
  store(high, e.add(place, 1));
}
