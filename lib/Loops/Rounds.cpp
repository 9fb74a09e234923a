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

/// The numbers of an operand that must be equal in all rounds; a view's type
/// contains its offset, so only its shape counts.
static std::array<int64_t, 4> getShape(Value operand) {
  if (!isa<MemRefType>(operand.getType()))
    return {int64_t(operand.getType().getAsOpaquePointer())};
  MatrixWindow window = MatrixWindow::get(operand);
  return {window.rows, window.col, window.cols, window.matrixCols()};
}

/// A command without the matrices and the rows of its operands.
struct CommandList::Kind {
  explicit Kind(Operation *command) : command(command) {
    hash = llvm::hash_combine(command->getName(), command->hashProperties());
    for (Value operand : command->getOperands()) {
      shapes.push_back(getShape(operand));
      hash = llvm::hash_combine(hash, llvm::hash_combine_range(shapes.back()));
    }
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
  SmallVector<std::array<int64_t, 4>, 4> shapes;
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

int64_t Rounds::getStep(int64_t number, unsigned operand) const {
  auto getRow = [&](int64_t round) {
    return getOrigin(round, getCommand(round, number)->getOperand(operand)).row;
  };
  return getRow(begin + 1) - getRow(begin);
}

namespace {
/// The origins of all operands of a round.
using Origins = SmallVector<Origin>;
} // namespace

/// Returns how many rows each operand moves from `before` to `after`; nothing
/// if the origins differ otherwise.
static std::optional<SmallVector<int64_t>> getSteps(const Origins &before,
                                                    const Origins &after) {
  if (before != after)
    return std::nullopt;
  SmallVector<int64_t> steps;
  for (auto [a, b] : llvm::zip_equal(before, after))
    steps.push_back(b.row - a.row);
  return steps;
}

bool Rounds::findRun(int64_t minRounds) {
  std::optional<SmallVector<int64_t>> steps;
  Origins before;
  int64_t first = 0;
  for (int64_t round = 0; round < repetition.rounds; ++round) {
    Origins origins;
    for (int64_t i = 0; i < repetition.period; ++i)
      for (Value operand : getCommand(round, i)->getOperands())
        origins.push_back(getOrigin(round, operand));
    auto next = round > 0 ? getSteps(before, origins) : std::nullopt;
    // A round with other origins starts a new run; one with other steps starts
    // a new run with the previous round.
    if (!next)
      first = round;
    else if (steps && *steps != *next)
      first = round - 1;
    steps = std::move(next);
    before = std::move(origins);
    if (round + 1 - first > end - begin) {
      begin = first;
      end = round + 1;
    }
  }
  if (end - begin < std::max<int64_t>(minRounds, 2))
    return false;
  findDistances();
  return true;
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
