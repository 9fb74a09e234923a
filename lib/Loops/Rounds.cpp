//===- Rounds.cpp - Rounds of repeated commands ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Rounds.h"

#include "llvm/ADT/Hashing.h"

#include <array>
#include <unordered_map>

using namespace mlir;
using namespace mlir::nnet3;

//===----------------------------------------------------------------------===//
// Commands
//===----------------------------------------------------------------------===//

CommandList::CommandList(ComputationOp computation) {
  for (Operation &op : computation.getBody().front()) {
    if (isa<SubMatrixOp>(op))
      continue;
    if (auto elided = dyn_cast<ElidedRoundsOp>(op)) {
      elisions.push_back(
          {elided, int64_t(elided.getCount()), int64_t(commands.size())});
      continue;
    }
    numbers[&op] = commands.size();
    commands.push_back(&op);
  }
}

SmallVector<int32_t> CommandList::getUsers(Value matrix) const {
  SmallVector<int32_t> result;
  SmallVector<Value> views = {matrix};
  while (!views.empty())
    for (Operation *user : views.pop_back_val().getUsers()) {
      if (auto view = dyn_cast<ViewLikeOpInterface>(user))
        views.push_back(view->getResult(0));
      while (!isa<ComputationOp>(user->getParentOp()))
        user = user->getParentOp();
      if (!isa<SubMatrixOp>(user)) {
        int32_t number = getNumber(user);
        result.push_back(number < 0 ? commands.size() : number);
      }
    }
  return result;
}

/// Whether a loop may contain the command.
static bool canRepeat(Operation *command) {
  return !isa<AcceptInputOp, ProvideOutputOp, NoOperationMarkerOp,
              CompressMatrixOp, DecompressMatrixOp, MoveMatrixOp, LoopOp>(
      command);
}

namespace {
/// The numbers of an operand that must be equal in all rounds.
using OperandShape = std::array<int64_t, 5>;
} // namespace

/// Returns the shapes of the operands. A view's type contains its offset, so
/// only its shape counts, and which earlier operand it equals: a command on one
/// matrix may be in place in all rounds or in none.
static SmallVector<OperandShape, 4> getShapes(Operation *command) {
  SmallVector<OperandShape, 4> shapes;
  SmallVector<MatrixWindow, 4> windows;
  for (Value operand : command->getOperands()) {
    const bool isMatrix = isa<MemRefType>(operand.getType());
    MatrixWindow window = isMatrix ? MatrixWindow::get(operand)
                                   : MatrixWindow{operand, 0, 0, 0, 0};
    const int64_t first = llvm::find(windows, window) - windows.begin();
    windows.push_back(window);
    if (isMatrix)
      shapes.push_back(
          {window.rows, window.col, window.cols, window.matrixCols(), first});
    else
      shapes.push_back(
          {int64_t(operand.getType().getAsOpaquePointer()), first});
  }
  return shapes;
}

/// A command without the matrices and the rows of its operands.
struct CommandList::Kind {
  explicit Kind(Operation *command)
      : command(command), shapes(getShapes(command)) {
    hash = llvm::hash_combine(command->getName(), command->hashProperties());
    for (const OperandShape &shape : shapes)
      hash = llvm::hash_combine(hash, llvm::hash_combine_range(shape));
  }
  bool operator==(const Kind &other) const {
    return command->getName() == other.command->getName() &&
           shapes == other.shapes &&
           command->getResultTypes() == other.command->getResultTypes() &&
           command->getName().compareOpProperties(
               command->getPropertiesStorage(),
               other.command->getPropertiesStorage());
  }

  Operation *command;
  SmallVector<OperandShape, 4> shapes;
  llvm::hash_code hash = 0;
};

std::vector<int32_t> CommandList::getSymbols() const {
  std::unordered_multimap<size_t, std::pair<Kind, int32_t>> known;
  std::vector<int32_t> symbols;
  int32_t next = 0;
  for (Operation *command : commands) {
    if (!canRepeat(command)) {
      symbols.push_back(next++);
      continue;
    }
    Kind kind(command);
    auto [first, last] = known.equal_range(kind.hash);
    auto same = std::find_if(first, last, [&](const auto &entry) {
      return entry.second.first == kind;
    });
    if (same == last)
      same = known.emplace(kind.hash, std::pair(kind, next++));
    symbols.push_back(same->second.second);
  }
  return symbols;
}

//===----------------------------------------------------------------------===//
// Rounds
//===----------------------------------------------------------------------===//

Rounds::Rounds(const CommandList &list, const Repetition &repetition)
    : list(list), repetition(repetition) {
  for (const Elision &other : list.getElisions())
    if (other.place > repetition.begin && other.place < repetition.end()) {
      elision = &other;
      ++numElisions;
    }
}

Origin Rounds::getOrigin(int64_t round, Value value) const {
  Origin origin;
  if (isa<MemRefType>(value.getType())) {
    MatrixWindow window = MatrixWindow::get(value);
    origin.row = window.row;
    value = window.matrix;
  }
  int64_t number = list.getNumber(value.getDefiningOp()) - repetition.begin;
  if (number < 0 || number >= repetition.size()) {
    origin.outside = value;
    return origin;
  }
  origin.maker = number % repetition.period;
  origin.distance = round - number / repetition.period;
  return origin;
}

namespace {
/// The origins of all operands of a round.
using Origins = SmallVector<Origin>;
using Distances = SmallVector<int64_t>;
} // namespace

/// Returns how many rows each operand moves from `before` to `after`; nothing
/// if the origins differ otherwise.
static std::optional<Distances> getDistances(const Origins &before,
                                             const Origins &after) {
  if (before != after)
    return std::nullopt;
  Distances distances;
  for (auto [a, b] : llvm::zip_equal(before, after))
    distances.push_back(b.row - a.row);
  return distances;
}

/// Rounds from `begin` on whose operands move by constant steps, except that
/// each may once move by the steps of the elided rounds as well.
struct Rounds::Run {
  int64_t begin = 0;
  Distances steps; ///< empty for a single round
  /// For each operand, the first round behind the elided ones; 0 if there are
  /// none yet.
  SmallVector<int64_t> behind;

  /// Whether round `round` continues the run.
  bool add(int64_t round, const Distances &distances, int64_t numElided) {
    if (steps.empty()) {
      steps = distances;
      behind.assign(steps.size(), 0);
      return true;
    }
    for (auto [distance, step, place] :
         llvm::zip_equal(distances, steps, behind)) {
      if (distance == step)
        continue;
      if (place > 0 || numElided == 0)
        return false;
      // Two rounds do not tell on which side the elided ones are.
      if (distance == step * (numElided + 1)) {
        place = round;
      } else if (round == begin + 2 && step == distance * (numElided + 1)) {
        place = round - 1;
        step = distance;
      } else {
        return false;
      }
    }
    return true;
  }
};

bool Rounds::findRun(int64_t minRounds) {
  Run run, longest;
  Origins before;
  for (int64_t round = 0; round < repetition.rounds; ++round) {
    Origins origins;
    for (int64_t i = 0; i < repetition.period; ++i) {
      if (round == 0)
        firstOperand.push_back(origins.size());
      for (Value operand : getCommand(round, i)->getOperands())
        origins.push_back(getOrigin(round, operand));
    }
    auto distances = round > 0 ? getDistances(before, origins) : std::nullopt;
    // A round with other origins starts a new run; one with other steps starts
    // a new run with the previous round.
    if (!distances) {
      run = {round, {}, {}};
    } else if (!run.add(round, *distances, getNumElided())) {
      run = {round - 1, {}, {}};
      run.add(round, *distances, getNumElided());
    }
    before = std::move(origins);
    if (round + 1 - run.begin > end - begin) {
      begin = run.begin;
      end = round + 1;
      longest = run;
    }
  }
  if (end - begin < std::max<int64_t>(minRounds, 2) ||
      (elision && !setElision(longest)))
    return false;
  steps = std::move(longest.steps);
  findDistances();
  return true;
}

/// Sets the rounds between which others are elided; false if the run does not
/// show what these are.
bool Rounds::setElision(const Run &run) {
  const int64_t place = elision->place - repetition.begin;
  lastBefore = place / repetition.period - 1;
  firstBehind = llvm::divideCeil(place, repetition.period);
  for (auto [step, behind] : llvm::zip_equal(run.steps, run.behind)) {
    if (step == 0)
      continue;
    if (behind == 0)
      return false;
    lastBefore = std::min(lastBefore, behind - 1);
    firstBehind = std::max(firstBehind, behind);
  }
  return numElisions == 1 && isBeforeElision(begin) && isBehindElision(end - 1);
}

void Rounds::findDistances() {
  distances.assign(repetition.period, 0);
  for (int64_t i = 0; i < repetition.period; ++i)
    for (Value operand : getCommand(begin, i)->getOperands()) {
      Origin origin = getOrigin(begin, operand);
      if (origin.isInside())
        distances[origin.maker] =
            std::max<int64_t>(distances[origin.maker], origin.distance);
    }
}

int64_t Rounds::getLastUse(Value matrix) const {
  int64_t last = -1;
  for (int32_t user : list.getUsers(matrix)) {
    int64_t number = user - repetition.begin;
    if (number >= repetition.size())
      return repetition.rounds;
    last = std::max(last, number / repetition.period);
  }
  return last;
}

void mlir::nnet3::eraseWithViews(Operation *command) {
  for (Operation *view : llvm::make_early_inc_range(command->getUsers()))
    eraseWithViews(view);
  command->erase();
}
