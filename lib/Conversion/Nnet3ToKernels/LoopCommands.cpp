//===- LoopCommands.cpp - Loops of commands as loops of kernels -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CommandConverter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/ScopeExit.h"

using namespace mlir;
using namespace mlir::nnet3;

/// Returns the differences of corresponding constant indexes, `other` minus
/// `first`; nothing if the blocks differ otherwise.
static std::optional<SmallVector<int64_t>> getDistances(Block &first,
                                                        Block &other) {
  if (first.getOperations().size() != other.getOperations().size())
    return std::nullopt;
  DenseMap<Value, Value> others; // only looked up
  auto check = [&](Value a, Value b) {
    auto known = others.find(a);
    return success(known == others.end() ? a == b : known->second == b);
  };
  auto mark = [&](Value a, Value b) { others[a] = b; };
  SmallVector<int64_t> distances;
  for (auto [a, b] : llvm::zip_equal(first, other)) {
    auto from = dyn_cast<arith::ConstantIndexOp>(a),
         to = dyn_cast<arith::ConstantIndexOp>(b);
    if (from && to) {
      mark(from, to);
      distances.push_back(to.value() - from.value());
    } else if (!OperationEquivalence::isEquivalentTo(
                   &a, &b, check, mark,
                   OperationEquivalence::IgnoreLocations)) {
      return std::nullopt;
    }
  }
  return distances;
}

/// Returns how much each index grows per round; nothing if rounds differ
/// otherwise. `rounds` holds the first, the second and the last of `count`
/// rounds.
static std::optional<SmallVector<int64_t>> getSteps(Region &rounds,
                                                    int64_t count) {
  Block &first = rounds.front();
  auto steps = getDistances(first, *std::next(rounds.begin()));
  auto all = getDistances(first, rounds.back());
  if (!steps || !all)
    return std::nullopt;
  for (auto [step, distance] : llvm::zip_equal(*steps, *all))
    if (step * (count - 1) != distance)
      return std::nullopt;
  return steps;
}

/// Creates a loop whose first round is `commands` and whose constant indexes
/// grow by `steps`.
static void createLoop(KernelBuilder &kernels, Block &commands,
                       ArrayRef<int64_t> steps, int64_t count) {
  OpBuilder &builder = kernels.getBuilder();
  Location loc = kernels.getLoc();
  auto loop = scf::ForOp::create(builder, loc, kernels.index(0),
                                 kernels.index(count), kernels.index(1));
  SmallVector<arith::ConstantIndexOp> indexes(
      commands.getOps<arith::ConstantIndexOp>());
  Block *body = loop.getBody();
  body->getOperations().splice(body->begin(), commands.getOperations());
  OpBuilder::InsertionGuard guard(builder);
  for (auto [index, step] : llvm::zip_equal(indexes, steps)) {
    if (step == 0)
      continue;
    builder.setInsertionPointAfter(index);
    Value distance = arith::MulIOp::create(builder, loc, loop.getInductionVar(),
                                           kernels.index(step),
                                           arith::IntegerOverflowFlags::nsw);
    auto sum = arith::AddIOp::create(builder, loc, index, distance,
                                     arith::IntegerOverflowFlags::nsw);
    index.getResult().replaceAllUsesExcept(sum, sum);
  }
}

LogicalResult CommandConverter::convert(LoopOp loop) {
  const int64_t count = loop.getCount();
  context.numRounds = count;
  llvm::scope_exit leave([&] {
    context.numRounds = 1;
    context.arena.setRound(0);
  });
  OpBuilder &builder = context.kernels.getBuilder();
  Region rounds;
  if (count > 1) {
    OpBuilder::InsertionGuard guard(builder);
    for (int64_t round : {int64_t(0), int64_t(1), count - 1}) {
      builder.setInsertionPointToStart(&rounds.emplaceBlock());
      if (failed(convertRound(loop, round)))
        return failure();
    }
  }
  context.kernels.setLoc(loop.getLoc());
  auto steps = count > 1 ? getSteps(rounds, count) : std::nullopt;
  if (steps) {
    createLoop(context.kernels, rounds.front(), *steps, count);
    return success();
  }
  for (int64_t round = 0; round < count; ++round)
    if (failed(convertRound(loop, round)))
      return failure();
  return success();
}

void mlir::nnet3::populateLoops(CommandConverter &converter) {
  converter.add([&](LoopOp loop) { return converter.convert(loop); });
  converter.add([](MovingSubMatrixOp) {});
}
