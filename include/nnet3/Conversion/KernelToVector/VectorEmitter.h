//===- VectorEmitter.h - Short names for vector and loop ops ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_KERNELTOVECTOR_VECTOREMITTER_H
#define NNET3_CONVERSION_KERNELTOVECTOR_VECTOREMITTER_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Builders.h"

namespace mlir::nnet3 {

/// Creates operations at one location; memory is a `memref<Nxf32>`, places in
/// it are indexes. With `scalars`, vectors of one element are numbers; with
/// `aligned`, longer ones are in memory at multiples of their length.
class VectorEmitter {
public:
  VectorEmitter(OpBuilder &builder, Location loc, bool scalars = false,
                bool aligned = false)
      : builder(builder), loc(loc), scalars(scalars), aligned(aligned) {}

  OpBuilder &getBuilder() { return builder; }
  Location getLoc() { return loc; }

  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }
  Value add(Value a, Value b) {
    return arith::AddIOp::create(builder, loc, a, b,
                                 arith::IntegerOverflowFlags::nsw);
  }
  Value add(Value a, int64_t b) { return b == 0 ? a : add(a, index(b)); }
  Value mul(Value a, int64_t b) {
    return arith::MulIOp::create(builder, loc, a, index(b),
                                 arith::IntegerOverflowFlags::nsw);
  }
  /// What is left of `a` modulo `b`, for `a` that is not negative.
  Value remainder(Value a, int64_t b) {
    return arith::RemUIOp::create(builder, loc, a, index(b));
  }
  Value divide(Value a, int64_t b) {
    return arith::DivUIOp::create(builder, loc, a, index(b));
  }
  Value min(Value a, Value b) {
    return arith::MinSIOp::create(builder, loc, a, b);
  }

  Value splat(int64_t length, float value);
  Value broadcast(int64_t length, Value scalar);
  Value load(int64_t length, Value memory, Value place);
  Value loadScalar(Value memory, Value place) {
    return memref::LoadOp::create(builder, loc, memory, place);
  }
  /// Asks for the line of the cache around `place`.
  void prefetch(Value memory, Value place, bool isWrite) {
    memref::PrefetchOp::create(builder, loc, memory, place, isWrite,
                               /*localityHint=*/3, /*isDataCache=*/true);
  }
  /// The same for the second-level cache, to be read there later.
  void prefetchSecondLevel(Value memory, Value place) {
    memref::PrefetchOp::create(builder, loc, memory, place, /*isWrite=*/false,
                               /*localityHint=*/2, /*isDataCache=*/true);
  }
  void store(Value vector, Value memory, Value place);
  /// Numbers of fewer bits than f32, of which a float of the memory holds
  /// several; so many that they fill floats.
  Value loadNumbers(VectorType type, Value memory, Value place);
  void storeNumbers(Value numbers, Value memory, Value place);

  /// The type of `length` numbers of type `element`.
  Type getType(int64_t length, Type element) const;

  /// A loop that carries `inits` along; `body` gives their next values.
  ValueRange loop(Value begin, Value end, int64_t step, ValueRange inits,
                  function_ref<SmallVector<Value>(Value, ValueRange)> body);
  /// One that carries nothing.
  void loop(Value begin, Value end, int64_t step,
            function_ref<void(Value)> body);
  void ifEqual(Value a, Value b, function_ref<void()> body);
  /// `yes` where `a` is `b`, else `no`.
  Value selectEqual(Value a, Value b, Value yes, Value no);
  /// Calls `body` for 0, `step`, ... below `count`; without a loop where that
  /// is one round.
  void forEach(int64_t count, int64_t step, function_ref<void(Value)> body);
  /// Calls `body` for all points from `begin` to `end`, in any order.
  void parallel(ValueRange begin, ValueRange end,
                function_ref<void(ValueRange)> body);

private:
  Type getType(int64_t length) const {
    return getType(length, builder.getF32Type());
  }
  llvm::MaybeAlign getAlignment(VectorType type) const;

  OpBuilder &builder;
  Location loc;
  bool scalars, aligned;
};

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_KERNELTOVECTOR_VECTOREMITTER_H
