//===- Lanes.cpp - Columns that are computed together ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Conversion/KernelToVector/Lanes.h"

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::kernel;

Value Lanes::load(ImplicitLocOpBuilder &b, Type type, Value memory,
                  Value offset, bool isAligned) const {
  if (!mask)
    return loadFrom(b, type, memory, offset, isAligned);
  Value zero = arith::ConstantOp::create(b, b.getZeroAttr(type));
  return vector::MaskedLoadOp::create(b, cast<VectorType>(type), memory, offset,
                                      mask, zero);
}

void Lanes::store(ImplicitLocOpBuilder &b, Value value, Value memory,
                  Value offset, bool isAligned) const {
  if (mask)
    vector::MaskedStoreOp::create(b, memory, offset, mask, value);
  else
    storeTo(b, value, memory, offset, isAligned);
}

Value kernel::createLength(ImplicitLocOpBuilder &b, VectorType type) {
  return mulIndex(b, vector::VectorScaleOp::create(b), type.getDimSize(0));
}

Value kernel::createMask(ImplicitLocOpBuilder &b, VectorType type,
                         Value count) {
  type = type.clone(b.getI1Type());
  // Upstream's lowering treats a scalable vector of one element as one of fixed
  // length, and sets only the first element of the splat.
  if (!type.isScalable() || type.getDimSize(0) > 1)
    return vector::CreateMaskOp::create(b, type, count);
  auto wide = VectorType::get({2}, b.getI1Type(), {true});
  return vector::ScalableExtractOp::create(
      b, type, vector::CreateMaskOp::create(b, wide, count), 0);
}

void kernel::forEachVector(ImplicitLocOpBuilder &b, int64_t columns,
                           int64_t length,
                           function_ref<void(Value, Lanes)> body,
                           int64_t threads) {
  const int64_t whole = columns / length * length;
  forEachApart(b, threads, whole, length,
               [&](Value column) { body(column, length); });
  if (whole < columns)
    forEachApart(b, threads, 1, 1, [&](Value) {
      body(arith::ConstantIndexOp::create(b, whole), columns - whole);
    });
}

/// Full vectors need no mask. The rest is a loop of at most one iteration.
static void forEachScalable(ImplicitLocOpBuilder &b, int64_t columns,
                            VectorType type,
                            function_ref<void(Value, Lanes)> body) {
  Value end = arith::ConstantIndexOp::create(b, columns);
  Value length = createLength(b, type);
  Value whole =
      arith::SubIOp::create(b, end, arith::RemUIOp::create(b, end, length));
  forEachStep(b, arith::ConstantIndexOp::create(b, 0), whole, length,
              [&](Value column) { body(column, Lanes(type)); });
  forEachStep(b, whole, end, length, [&](Value column) {
    Value rest = arith::SubIOp::create(b, end, column);
    body(column, Lanes(type, createMask(b, type, rest)));
  });
}

void kernel::forEachVector(ImplicitLocOpBuilder &b, int64_t columns,
                           TargetAttr target,
                           function_ref<void(Value, Lanes)> body) {
  if (target.isScalable() && columns > target.getVectorLength())
    forEachScalable(b, columns, target.getVectorType(b.getF32Type()), body);
  else
    forEachVector(b, columns, target.getVectorLength(), body);
}
