//===- SpliceKernel.cpp - Rows side by side -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SpliceKernel.h"
#include "KernelArguments.h"
#include "nnet3/Conversion/KernelToThreads/DeviceLoops.h"

using namespace mlir;
using namespace mlir::nnet3;

/// The upper halves of floats, rounded to the nearest, as CPUs without an
/// instruction for that do.
static Value roundToBf16(OpBuilder &builder, Location loc, Value values) {
  auto ints = VectorType::get(cast<VectorType>(values.getType()).getShape(),
                              builder.getI32Type());
  auto splat = [&](int32_t value) -> Value {
    return arith::ConstantOp::create(
        builder, loc, ints,
        DenseElementsAttr::get(ints, builder.getI32IntegerAttr(value)));
  };
  auto shift = [&](Value bits) -> Value {
    return arith::ShRUIOp::create(builder, loc, bits, splat(16));
  };
  Value bits = arith::BitcastOp::create(builder, loc, ints, values);
  Value even = arith::AndIOp::create(builder, loc, shift(bits), splat(1));
  Value up = arith::AddIOp::create(builder, loc, bits, splat(0x7fff));
  Value rounded = shift(arith::AddIOp::create(builder, loc, up, even));
  Value isNan = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNO,
                                      values, values);
  return arith::TruncIOp::create(
      builder, loc, ints.clone(builder.getI16Type()),
      arith::SelectOp::create(builder, loc, isNan, splat(0x7fc0), rounded));
}

/// Numbers of 16 bits, two in a float.
static Value round(VectorEmitter &e, Value values, Precision precision) {
  OpBuilder &builder = e.getBuilder();
  auto type = cast<VectorType>(values.getType());
  Value halves =
      precision == Precision::BF16
          ? roundToBf16(builder, e.getLoc(), values)
          : arith::TruncFOp::create(builder, e.getLoc(),
                                    type.clone(builder.getF16Type()), values);
  return vector::BitCastOp::create(
      builder, e.getLoc(),
      VectorType::get({type.getNumElements() / 2}, builder.getF32Type()),
      halves);
}

/// Where row `row` of a part is, from its first one. For one batch the code
/// does not depend on the number of rows.
Value SpliceKernel::locate(VectorEmitter &e, Value row) const {
  if (batchRows >= rows)
    return e.mul(row, rowDistance);
  return e.add(e.mul(e.remainder(row, batchRows), rowDistance),
               e.mul(e.divide(row, batchRows), batchDistance));
}

void SpliceKernel::emit(kernel::LaunchOp launch) const {
  OpBuilder builder = OpBuilder::atBlockEnd(&launch.getBody().front());
  VectorEmitter e(builder, launch.getLoc(), /*scalars=*/true,
                  /*aligned=*/true);
  Value arena = launch.getArgument(0);
  Value output = launch.getArgument(getFirstPlace());
  auto getPart = [&](int64_t part) {
    return launch.getArgument(getFirstPlace() + 1 + part);
  };
  const int64_t points = columns / width; // of a part
  auto copy = [&](Value row, Value point) {
    Value part = e.divide(point, points), place = getPart(0);
    for (int64_t i = 1; i < parts; ++i)
      place = e.selectEqual(part, e.index(i), getPart(i), place);
    Value from = e.add(place, locate(e, row));
    from = e.add(from, e.mul(e.remainder(point, points), width));
    const int64_t numbers = getNumbersPerWord(precision);
    Value to = e.add(e.add(output, e.mul(row, parts * columns / numbers)),
                     e.mul(point, width / numbers));
    Value values = e.load(width, arena, from);
    if (hasHalves(precision))
      values = round(e, values, precision);
    e.store(values, arena, to);
  };
  forEachStretch(e, rows, parts * points,
                 [&](Value row, const Stretch &stretch) {
                   e.parallel(stretch.begin, stretch.end,
                              [&](ValueRange at) { copy(row, at[0]); });
                 });
  setThreads(launch, parts * points);
}
