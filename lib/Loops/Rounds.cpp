//===- Rounds.cpp - Rounds of repeated commands ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Rounds.h"

#include <map>

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

/// Returns the properties of a command that must be equal in all rounds.
static SmallVector<const void *> getKey(Operation *command) {
  SmallVector<const void *> key = {
      command->getName().getAsOpaquePointer(),
      command->getPropertiesAsAttribute().getAsOpaquePointer()};
  for (Value operand : command->getOperands()) {
    key.push_back(operand.getType().getAsOpaquePointer());
    if (!isa<MemRefType>(operand.getType()))
      continue;
    // A view's type contains its offset, so only its shape is compared.
    MatrixWindow window = MatrixWindow::get(operand);
    key.back() = nullptr;
    for (int64_t number :
         {window.rows, window.col, window.cols, window.matrixCols()})
      key.push_back(reinterpret_cast<const void *>(number));
  }
  for (Type type : command->getResultTypes())
    key.push_back(type.getAsOpaquePointer());
  return key;
}

std::vector<int32_t> CommandList::getSymbols() const {
  std::map<SmallVector<const void *>, int32_t> known;
  std::vector<int32_t> symbols;
  int32_t next = 0;
  for (Operation *command : commands) {
    if (!canRepeat(command)) {
      symbols.push_back(next++);
      continue;
    }
    auto [entry, isNew] = known.try_emplace(getKey(command), next);
    next += isNew;
    symbols.push_back(entry->second);
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
