//===- LoopBuilder.cpp - Replace rounds by a loop -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LoopBuilder.h"
#include "MatrixStacks.h"
#include "nnet3/Dialect/Nnet3/IR/PrecomputedTimes.h"

#include <map>
#include <numeric>

using namespace mlir;
using namespace mlir::nnet3;

/// Maximum number of rounds of a run in one round of the loop.
static constexpr int64_t kMaxUnroll = 12;
/// Minimum number of commands that a loop must save.
static constexpr int64_t kMinGain = 2;

std::optional<LoopShape> LoopShape::get(const Rounds &rounds,
                                        int64_t minRounds) {
  LoopShape shape;
  for (int64_t i = 0; i < rounds.getPeriod(); ++i)
    if (shape.unroll <= kMaxUnroll)
      shape.unroll = std::lcm(shape.unroll, rounds.getNumSlots(i));
  const int64_t numElided = rounds.getNumElided();
  const int64_t numRounds = rounds.getEnd() - rounds.getBegin() + numElided;
  shape.begin = rounds.getBegin();
  shape.count = numRounds / shape.unroll;
  if (shape.unroll > kMaxUnroll || shape.count < minRounds ||
      (shape.count - 1) * shape.unroll * rounds.getPeriod() < kMinGain)
    return std::nullopt;
  if (numElided == 0)
    return shape;
  // Leftover rounds precede the loop if too few rounds are behind the elided
  // ones. The slots of these must be the same as if none were elided.
  if (!rounds.isBehindElision(shape.getEnd(rounds) - 1))
    shape.begin += numRounds % shape.unroll;
  if (numElided % shape.unroll != 0 || !rounds.isBeforeElision(shape.begin))
    return std::nullopt;
  return shape;
}

bool mlir::nnet3::canBuildLoop(const Rounds &rounds, const LoopShape &shape) {
  for (int64_t i = 0; i < rounds.getPeriod(); ++i) {
    Operation *command = rounds.getCommand(rounds.getBegin(), i);
    if (command->getNumResults() == 0)
      continue;
    const bool isMatrix =
        isa<AllocMatrixUndefinedOp, AllocMatrixZeroedOp>(command);
    const bool isPassedOn = rounds.getDistance(i) > 0;
    if (isPassedOn && !isMatrix)
      return false;
    // A matrix local to a round must be freed in it.
    if (isMatrix && !isPassedOn &&
        llvm::none_of(command->getUsers(), llvm::IsaPred<DeallocMatrixOp>))
      return false;
    const int64_t first = shape.begin - rounds.getDistance(i);
    if (first < -1 || (first == -1 && !rounds.getMatrix(first, i)) ||
        outlivesRounds(rounds, i, shape.getEnd(rounds)))
      return false;
  }
  return true;
}

namespace {
class LoopBuilder {
public:
  LoopBuilder(const Rounds &rounds, const LoopShape &shape)
      : rounds(rounds), shape(shape), begin(shape.begin),
        end(shape.getEnd(rounds)), builder(rounds.getCommand(begin, 0)),
        slots(rounds.getPeriod()) {}

  void build();

private:
  bool isPassedOn(int64_t maker) const {
    return maker >= 0 && rounds.getDistance(maker) > 0;
  }
  void createSlots(int64_t maker);
  void emitCommand(int64_t copy, int64_t number);
  void moveTime(BackpropOp op, int64_t copy, int64_t number);
  Value getOperand(int64_t copy, int64_t number, unsigned operand);
  Value getPart(Value matrix, int64_t step, MatrixWindow window);
  void replaceBehind(int64_t maker);
  void eraseRounds();

  const Rounds &rounds;
  LoopShape shape;
  int64_t begin, end;
  OpBuilder builder;
  LoopOp loop;
  /// For each command whose matrix is passed on: the matrices of rounds begin,
  /// begin + 1, ..., which are used cyclically.
  std::vector<SmallVector<Value>> slots;
  /// Results of the commands in one copy of a round.
  DenseMap<int64_t, Value> made;
  /// The views of the body, by matrix, step and window.
  std::map<std::tuple<void *, int64_t, int64_t, int64_t, int64_t, int64_t>,
           Value>
      parts;
};
} // namespace

/// Collects the matrices of the rounds before the loop, whose memory is reused
/// first, and allocates one more if a round needs it.
void LoopBuilder::createSlots(int64_t maker) {
  const int64_t distance = rounds.getDistance(maker);
  Operation *alloc = rounds.getCommand(begin, maker);
  if (rounds.getNumSlots(maker) > distance)
    slots[maker].push_back(AllocMatrixUndefinedOp::create(
        builder, alloc->getLoc(), alloc->getResultTypes().front()));
  for (int64_t before = distance; before > 0; --before)
    slots[maker].push_back(rounds.getMatrix(begin - before, maker));
}

/// Returns a window of `matrix` that moves by `step` rows per round of the
/// loop.
Value LoopBuilder::getPart(Value matrix, int64_t step, MatrixWindow window) {
  window.matrix = matrix;
  if (step == 0 && window.isWhole())
    return matrix;
  Value &part = parts[{matrix.getAsOpaquePointer(), step, window.row,
                       window.rows, window.col, window.cols}];
  if (part)
    return part;
  if (step == 0)
    part = createView(builder, loop.getLoc(), window);
  else
    part = MovingSubMatrixOp::create(builder, loop.getLoc(), matrix,
                                     loop.getRound(), window.row, step,
                                     window.rows, window.col, window.cols);
  return part;
}

Value LoopBuilder::getOperand(int64_t copy, int64_t number, unsigned operand) {
  Value value = rounds.getCommand(begin, number)->getOperand(operand);
  Origin origin = rounds.getOrigin(begin, value);
  const bool isMatrix = isa<MemRefType>(value.getType());
  if (!isMatrix)
    return origin.isInside() ? made.at(origin.maker) : value;
  MatrixWindow window = MatrixWindow::get(value);
  if (!origin.isInside()) {
    const int64_t step = rounds.getStep(number, operand);
    window.row += copy * step;
    return getPart(window.matrix, step * shape.unroll, window);
  }
  if (!isPassedOn(origin.maker))
    return getPart(made.at(origin.maker), 0, window);
  ArrayRef<Value> places = slots[origin.maker];
  const int64_t count = places.size();
  return getPart(places[(copy - origin.distance + count) % count], 0, window);
}

/// Lets the time of `op` in copy `copy` of a round depend on the iteration.
void LoopBuilder::moveTime(BackpropOp op, int64_t copy, int64_t number) {
  const int64_t step = rounds.getTimeStep(number);
  if (step == 0)
    return;
  DictionaryAttr precomputed = op.getPrecomputedAttr();
  op.setPrecomputedAttr(
      withFirstTime(precomputed, *getFirstTime(precomputed) + copy * step));
  op.setTimeStep(step * shape.unroll);
  op.getRoundMutable().assign(loop.getRound());
}

void LoopBuilder::emitCommand(int64_t copy, int64_t number) {
  Operation *command = rounds.getCommand(begin, number);
  if (command->getNumResults() > 0 && isPassedOn(number)) {
    ArrayRef<Value> places = slots[number];
    if (isa<AllocMatrixZeroedOp>(command))
      SetConstOp::create(builder, command->getLoc(),
                         places[copy % places.size()],
                         builder.getF32FloatAttr(0));
    return;
  }
  if (auto dealloc = dyn_cast<DeallocMatrixOp>(command))
    if (isPassedOn(rounds.getOrigin(begin, dealloc.getMatrix()).maker))
      return;
  SmallVector<Value> operands;
  for (unsigned i = 0; i < command->getNumOperands(); ++i)
    operands.push_back(getOperand(copy, number, i));
  Operation *clone = builder.clone(*command);
  clone->setOperands(operands);
  clone->setDiscardableAttrs(builder.getDictionaryAttr({}));
  if (getFirstTime(command))
    moveTime(cast<BackpropOp>(clone), copy, number);
  if (clone->getNumResults() > 0)
    made[number] = clone->getResult(0);
}

/// Lets commands after the loop use the slots of the last rounds' matrices;
/// frees the slot of the round before these if there is one.
void LoopBuilder::replaceBehind(int64_t maker) {
  ArrayRef<Value> places = slots[maker];
  const int64_t count = places.size();
  auto getPlace = [&](int64_t round) {
    return places[(round - begin) % count];
  };
  const int64_t firstKept = end - rounds.getDistance(maker);
  if (count > rounds.getDistance(maker))
    DeallocMatrixOp::create(builder, loop.getLoc(), getPlace(firstKept - 1));
  for (int64_t round = firstKept; round < end; ++round)
    rounds.getMatrix(round, maker).replaceAllUsesWith(getPlace(round));
}

void LoopBuilder::eraseRounds() {
  SmallVector<Operation *> commands;
  for (int64_t round = begin; round < end; ++round)
    for (int64_t i = 0; i < rounds.getPeriod(); ++i)
      commands.push_back(rounds.getCommand(round, i));
  for (Operation *command : llvm::reverse(commands))
    eraseWithViews(command);
  if (ElidedRoundsOp elision = rounds.getElision())
    elision.erase();
}

void LoopBuilder::build() {
  for (int64_t i = 0; i < rounds.getPeriod(); ++i)
    if (isPassedOn(i))
      createSlots(i);
  loop = LoopOp::create(builder, rounds.getCommand(begin, 0)->getLoc(),
                        builder.getI64IntegerAttr(shape.count));
  Block &body = loop.getBody().emplaceBlock();
  body.addArgument(builder.getIndexType(), loop.getLoc());
  builder.setInsertionPointToStart(&body);
  for (int64_t copy = 0; copy < shape.unroll; ++copy)
    for (int64_t i = 0; i < rounds.getPeriod(); ++i)
      emitCommand(copy, i);
  builder.setInsertionPointAfter(loop);
  for (int64_t i = 0; i < rounds.getPeriod(); ++i)
    if (isPassedOn(i))
      replaceBehind(i);
  eraseRounds();
}

void mlir::nnet3::buildLoop(const Rounds &rounds, const LoopShape &shape) {
  LoopBuilder(rounds, shape).build();
}
