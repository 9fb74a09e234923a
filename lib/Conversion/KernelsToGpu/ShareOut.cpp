//===- ShareOut.cpp - Each thread's points of a loop ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ThreadLoops.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::nnet3;

/// Returns the operation of a reduction by its region.
static FailureOr<gpu::AllReduceOperation> getReduction(scf::ReduceOp reduce,
                                                       unsigned number) {
  Operation &combination = reduce.getReductions()[number].front().front();
  if (isa<arith::AddFOp>(combination))
    return gpu::AllReduceOperation::ADD;
  if (isa<arith::MaximumFOp>(combination))
    return gpu::AllReduceOperation::MAXIMUMF;
  return reduce.emitOpError("in a kernel expects a sum or a maximum");
}

namespace {
class Share {
public:
  Share(scf::ParallelOp loop, const Team &team)
      : loop(loop),
        reduce(cast<scf::ReduceOp>(loop.getBody()->getTerminator())),
        team(team), builder(loop), loc(loop.getLoc()) {}

  LogicalResult replace();

private:
  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }
  Value add(Value a, Value b) {
    return arith::AddIOp::create(builder, loc, a, b);
  }
  SmallVector<Value> emitPoint(Value point, ValueRange before);
  ValueRange emitLoop(Value begin, Value end, Value step,
                      function_ref<Value(Value)> getPoint);
  ValueRange emitRest(int64_t first, int64_t count, ValueRange before);
  ValueRange emitRounds(int64_t begin, int64_t count);
  FailureOr<Value> combine(Value value, unsigned number);

  scf::ParallelOp loop;
  scf::ReduceOp reduce;
  const Team &team;
  OpBuilder builder;
  Location loc;
};
} // namespace

/// Emits the body for `point` and combines its reductions with `before`.
SmallVector<Value> Share::emitPoint(Value point, ValueRange before) {
  IRMapping mapping;
  mapping.map(loop.getInductionVars()[0], point);
  for (Operation &op : loop.getBody()->without_terminator())
    builder.clone(op, mapping);
  SmallVector<Value> results;
  for (auto [value, operand, region] :
       llvm::zip_equal(before, reduce.getOperands(), reduce.getReductions())) {
    IRMapping both;
    both.map(region.front().getArgument(0), value);
    both.map(region.front().getArgument(1), mapping.lookupOrDefault(operand));
    results.push_back(
        builder.clone(region.front().front(), both)->getResult(0));
  }
  return results;
}

/// Emits a loop over rounds from `begin`, each of which computes one point.
ValueRange Share::emitLoop(Value begin, Value end, Value step,
                           function_ref<Value(Value)> getPoint) {
  auto rounds =
      scf::ForOp::create(builder, loc, begin, end, step, loop.getInitVals());
  OpBuilder::InsertionGuard guard(builder);
  if (rounds.getNumResults())
    builder.setInsertionPointToEnd(rounds.getBody());
  else
    builder.setInsertionPoint(rounds.getBody()->getTerminator());
  SmallVector<Value> results =
      emitPoint(getPoint(rounds.getInductionVar()), rounds.getRegionIterArgs());
  if (!results.empty())
    scf::YieldOp::create(builder, loc, results);
  return rounds.getResults();
}

/// Emits the last `count` points from `first` on, one per thread.
ValueRange Share::emitRest(int64_t first, int64_t count, ValueRange before) {
  Value isThere = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                                        team.thread, index(count));
  auto rest = scf::IfOp::create(builder, loc, before.getTypes(), isThere,
                                /*addThenBlock=*/true, /*addElseBlock=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(rest.thenBlock());
  SmallVector<Value> results =
      emitPoint(add(team.thread, index(first)), before);
  scf::YieldOp::create(builder, loc, results);
  builder.setInsertionPointToStart(rest.elseBlock());
  scf::YieldOp::create(builder, loc, before);
  return rest.getResults();
}

/// All threads compute the same constant number of rounds, so that the loop can
/// be unrolled and its loads can overlap; the remaining points follow.
ValueRange Share::emitRounds(int64_t begin, int64_t count) {
  const int64_t rest = count % team.size, whole = count - rest;
  ValueRange results = loop.getInitVals();
  if (whole)
    results = emitLoop(index(begin), index(begin + whole), index(team.size),
                       [&](Value first) { return add(first, team.thread); });
  if (rest)
    results = emitRest(begin + whole, rest, results);
  return results;
}

/// Reduces a value over all threads of the team.
FailureOr<Value> Share::combine(Value value, unsigned number) {
  auto kind = getReduction(reduce, number);
  if (failed(kind))
    return failure();
  if (team.isWarp)
    return gpu::SubgroupReduceOp::create(builder, loc, value, *kind,
                                         /*uniform=*/true)
        .getResult();
  auto attr = gpu::AllReduceOperationAttr::get(builder.getContext(), *kind);
  return gpu::AllReduceOp::create(builder, loc, value, attr, /*uniform=*/true)
      .getResult();
}

LogicalResult Share::replace() {
  auto begin = getConstantIntValue(loop.getLowerBound()[0]);
  auto end = getConstantIntValue(loop.getUpperBound()[0]);
  const bool isStraight = llvm::all_of(*loop.getBody(), [&](Operation &op) {
    return &op == reduce.getOperation() || op.getNumRegions() == 0;
  });
  ValueRange results;
  if (loop.getNumReductions() && begin && end && isStraight) {
    results = emitRounds(*begin, *end - *begin);
  } else {
    Value first = add(loop.getLowerBound()[0], team.thread);
    results = emitLoop(first, loop.getUpperBound()[0], index(team.size),
                       [](Value point) { return point; });
  }
  for (auto [number, result] : llvm::enumerate(results)) {
    auto all = combine(result, number);
    if (failed(all))
      return failure();
    loop.getResult(number).replaceAllUsesWith(*all);
  }
  loop.erase();
  return success();
}

LogicalResult mlir::nnet3::shareOut(scf::ParallelOp loop, const Team &team) {
  return Share(loop, team).replace();
}
