//===- DoubleMemory.cpp - Double precision in memory of floats ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Arithmetic/DoubleMemory.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::nnet3;

Value mlir::nnet3::joinWords(ScalarArithmetic a, Value low, Value high) {
  OpBuilder &builder = a.getBuilder();
  Location loc = a.getLoc();
  Type i64 = builder.getI64Type();
  Value bits = arith::ConstantIntOp::create(builder, loc, 32, 64);
  Value upper = arith::ShLIOp::create(
      builder, loc, arith::ExtUIOp::create(builder, loc, i64, high), bits);
  return arith::OrIOp::create(
      builder, loc, arith::ExtUIOp::create(builder, loc, i64, low), upper);
}

std::pair<Value, Value> mlir::nnet3::splitWords(ScalarArithmetic a,
                                                Value both) {
  OpBuilder &builder = a.getBuilder();
  Location loc = a.getLoc();
  Type i32 = builder.getI32Type();
  Value bits = arith::ConstantIntOp::create(builder, loc, 32, 64);
  Value upper = arith::ShRUIOp::create(builder, loc, both, bits);
  return {arith::TruncIOp::create(builder, loc, i32, both),
          arith::TruncIOp::create(builder, loc, i32, upper)};
}

Value mlir::nnet3::loadWord(ScalarArithmetic a, Value memory, Value place) {
  OpBuilder &builder = a.getBuilder();
  Value number = memref::LoadOp::create(builder, a.getLoc(), memory, place);
  return arith::BitcastOp::create(builder, a.getLoc(), builder.getI32Type(),
                                  number);
}

Value mlir::nnet3::loadDouble(ScalarArithmetic a, Value memory, Value place) {
  Value low = loadWord(a, memory, place),
        high = loadWord(a, memory, a.shift(place, 1));
  return arith::BitcastOp::create(a.getBuilder(), a.getLoc(),
                                  a.getBuilder().getF64Type(),
                                  joinWords(a, low, high));
}

void mlir::nnet3::storeDouble(ScalarArithmetic a, Value element, Value memory,
                              Value place) {
  OpBuilder &builder = a.getBuilder();
  Value bits = arith::BitcastOp::create(builder, a.getLoc(),
                                        builder.getI64Type(), element);
  auto [low, high] = splitWords(a, bits);
  auto store = [&](Value word, Value to) {
    Value number = arith::BitcastOp::create(builder, a.getLoc(),
                                            builder.getF32Type(), word);
    memref::StoreOp::create(builder, a.getLoc(), number, memory, to);
  };
  store(low, place);
  store(high, a.shift(place, 1));
}
