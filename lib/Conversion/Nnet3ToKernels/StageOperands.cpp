//===- StageOperands.cpp - What stages and backward passes read -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "StageOperands.h"
#include "KernelArguments.h"
#include "nnet3/Conversion/KernelToThreads/DeviceLoops.h"

using namespace mlir;
using namespace mlir::nnet3;

StageOperands::StageOperands(const OperandShapes &shapes, VectorEmitter &e,
                             kernel::LaunchOp launch)
    : StageEmission(e.getBuilder(), e.getLoc()), shapes(shapes), e(e),
      arena(launch.getArgument(0)), weights(launch.getArgument(1)),
      rowTables(launch.getArgument(2)) {
  unsigned next = getFirstPlace();
  auto take = [&](Value &place) { place = launch.getArgument(next++); };
  auto takeAll = [&](SmallVector<Value> &places, unsigned count) {
    places.resize(count);
    llvm::for_each(places, take);
  };
  takeAll(vectors, shapes.numVectors);
  takeAll(tables, shapes.numTables);
  if (shapes.hasMemory) {
    take(memo);
    take(scratch);
  }
  if (shapes.draws) {
    take(random);
    take(command);
  }
  if (!shapes.statistics.empty()) {
    take(own);
    take(kept);
  }
  if (shapes.hasRepairs)
    take(repairs);
  if (shapes.destStride)
    take(dest);
  if (shapes.derivStride)
    take(deriv);
  if (shapes.inputStride)
    take(input);
  if (shapes.outputStride)
    take(output);
}

Value StageOperands::loadTable(unsigned number, Value place) {
  return arith::IndexCastOp::create(
      getBuilder(), getLoc(), getBuilder().getIndexType(),
      e.loadScalar(rowTables, e.add(tables[number], place)));
}

Value StageOperands::loadRepair(Value place) {
  return shapes.hasRepairs ? e.loadScalar(arena, e.add(repairs, place))
                           : number(0);
}

Value StageOperands::drawBits(Value position) {
  const SmallVector<Value> four = drawFour(position);
  Value lane = e.remainder(position, 4);
  Value bits = four[3];
  for (int64_t i = 2; i >= 0; --i)
    bits = select(isEqual(lane, e.index(i)), four[i], bits);
  return bits;
}

/// The arena has the two halves of the seed and the number of the run. For
/// a position that is no multiple of four they are those of the multiple below.
SmallVector<Value> StageOperands::drawFour(Value position) {
  OpBuilder &builder = getBuilder();
  Location loc = getLoc();
  Value low = loadWord(e, arena, random),
        high = loadWord(e, arena, e.add(random, 1)),
        run = loadWord(e, arena, e.add(random, 2));
  if (shapes.seedOffset) {
    Value offset = arith::ConstantIntOp::create(
        builder, loc, builder.getI64Type(), int64_t(shapes.seedOffset));
    std::tie(low, high) = splitWords(
        builder, loc,
        arith::AddIOp::create(builder, loc, joinWords(builder, loc, low, high),
                              offset));
  }
  Value number =
      arith::IndexCastOp::create(builder, loc, builder.getI32Type(), command);
  return createRandomBits(builder, loc, {low, high}, run, number, position);
}

Value StageOperands::sum(int64_t count, function_ref<Value(Value)> body) {
  return sumOverThreads(e, e.index(0), e.index(count), 1, [&](Value i) {
    return SmallVector<Value>{body(i)};
  })[0];
}
