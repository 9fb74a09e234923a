//===- Rounds.cpp - Rounds of repeated commands ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Rounds.h"
#include "nnet3/Dialect/Nnet3/IR/PrecomputedTimes.h"

#include "llvm/ADT/Hashing.h"

#include <array>
#include <unordered_map>

using namespace mlir;
using namespace mlir::nnet3;

//===----------------------------------------------------------------------===//
// Commands
//===----------------------------------------------------------------------===//

/// Returns the window of an operand; an empty one if it is no matrix.
static MatrixWindow getWindow(Value operand) {
  return isa<MemRefType>(operand.getType()) ? MatrixWindow::get(operand)
                                            : MatrixWindow{operand, 0, 0, 0, 0};
}

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
    firstWindow.push_back(windows.size());
    for (Value operand : op.getOperands())
      windows.push_back(getWindow(operand));
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
  return !isa<AcceptInputOp, ProvideOutputOp, NoOperationMarkerOp, KeepRowsOp,
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
static SmallVector<OperandShape, 4> getShapes(ArrayRef<MatrixWindow> windows) {
  SmallVector<OperandShape, 4> shapes;
  for (const MatrixWindow &window : windows) {
    const int64_t first = llvm::find(windows, window) - windows.begin();
    if (isa<MemRefType>(window.matrix.getType()))
      shapes.push_back(
          {window.rows, window.col, window.cols, window.matrixCols(), first});
    else
      shapes.push_back(
          {int64_t(window.matrix.getType().getAsOpaquePointer()), first});
  }
  return shapes;
}

std::optional<int64_t> mlir::nnet3::getFirstTime(Operation *command) {
  auto backprop = dyn_cast<BackpropOp>(command);
  return backprop ? getFirstTime(backprop.getPrecomputedAttr()) : std::nullopt;
}

/// Returns the properties of a command at time 0; null if it has no time.
static DictionaryAttr getTimeless(Operation *command) {
  if (!getFirstTime(command))
    return {};
  auto backprop = cast<BackpropOp>(command);
  NamedAttrList properties(
      cast<DictionaryAttr>(command->getPropertiesAsAttribute()));
  properties.set(backprop.getPrecomputedAttrName(),
                 withFirstTime(backprop.getPrecomputedAttr(), 0));
  return properties.getDictionary(command->getContext());
}

/// A command without the matrices and the rows of its operands, and without the
/// time of the rows.
struct CommandList::Kind {
  Kind(Operation *command, ArrayRef<MatrixWindow> operands)
      : command(command), shapes(getShapes(operands)),
        timeless(getTimeless(command)) {
    hash = llvm::hash_combine(command->getName(),
                              timeless ? hash_value(timeless)
                                       : command->hashProperties());
    for (const OperandShape &shape : shapes)
      hash = llvm::hash_combine(hash, llvm::hash_combine_range(shape));
  }
  bool operator==(const Kind &other) const {
    if (command->getName() != other.command->getName() ||
        shapes != other.shapes || timeless != other.timeless ||
        command->getResultTypes() != other.command->getResultTypes())
      return false;
    return timeless || command->getName().compareOpProperties(
                           command->getPropertiesStorage(),
                           other.command->getPropertiesStorage());
  }

  Operation *command;
  SmallVector<OperandShape, 4> shapes;
  DictionaryAttr timeless;
  llvm::hash_code hash = 0;
};

std::vector<int32_t> CommandList::getSymbols() const {
  std::unordered_multimap<size_t, std::pair<Kind, int32_t>> known;
  std::vector<int32_t> symbols;
  int32_t next = 0;
  for (auto [number, command] : llvm::enumerate(commands)) {
    if (!canRepeat(command)) {
      symbols.push_back(next++);
      continue;
    }
    Kind kind(command, getWindows(number));
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
  return getOrigin(round, getWindow(value));
}

Origin Rounds::getOrigin(int64_t round, const MatrixWindow &window) const {
  Origin origin;
  origin.row = window.row;
  int64_t number =
      list.getNumber(window.matrix.getDefiningOp()) - repetition.begin;
  if (number < 0 || number >= repetition.size()) {
    auto first = firstMakers.find(window.matrix);
    if (first == firstMakers.end()) {
      origin.outside = window.matrix;
    } else {
      origin.maker = first->second;
      origin.distance = round + 1;
    }
    return origin;
  }
  origin.maker = number % repetition.period;
  origin.distance = round - number / repetition.period;
  return origin;
}

/// Returns how much each operand moves from `before` to `after`; nothing
/// if the origins differ otherwise.
static std::optional<SmallVector<int64_t>>
getDistances(ArrayRef<Origin> before, ArrayRef<Origin> after) {
  if (before != after)
    return std::nullopt;
  SmallVector<int64_t> distances;
  for (auto [a, b] : llvm::zip_equal(before, after))
    distances.push_back(b.row - a.row);
  return distances;
}

/// Returns the origins of all operands of a round, and the times of its
/// commands.
SmallVector<Origin> Rounds::getOrigins(int64_t round) {
  SmallVector<Origin> origins;
  for (int64_t i = 0; i < repetition.period; ++i) {
    if (round == 0)
      firstOperand.push_back(origins.size());
    for (const MatrixWindow &window : list.getWindows(getPlace(round, i)))
      origins.push_back(getOrigin(round, window));
    if (std::optional<int64_t> time = getFirstTime(getCommand(round, i)))
      origins.push_back({/*maker=*/-1, /*distance=*/0, Value(), *time});
  }
  return origins;
}

/// Whether the command allocates a matrix of type `type`.
static bool allocates(Operation *command, Type type) {
  return isa_and_present<AllocMatrixUndefinedOp, AllocMatrixZeroedOp>(
             command) &&
         command->getResultTypes().front() == type;
}

void Rounds::findFirstMatrices() {
  for (int64_t i = 0; i < repetition.period; ++i)
    for (auto [before, after] :
         llvm::zip_equal(list.getWindows(getPlace(0, i)),
                         list.getWindows(getPlace(1, i)))) {
      const Origin origin = getOrigin(1, after);
      if (getOrigin(0, before).isInside() || !origin.isInside() ||
          origin.distance != 1)
        continue;
      // Operands that do not agree end the run there.
      if (allocates(before.matrix.getDefiningOp(), after.matrix.getType()) &&
          allocates(after.matrix.getDefiningOp(), after.matrix.getType()) &&
          firstMatrices.try_emplace(origin.maker, before.matrix).second)
        firstMakers[before.matrix] = origin.maker;
    }
}

bool Rounds::findRun(int64_t minRounds) {
  findFirstMatrices();
  RegularRunFinder runs(getNumElided());
  SmallVector<Origin> before;
  for (int64_t round = 0; round < repetition.rounds; ++round) {
    SmallVector<Origin> origins = getOrigins(round);
    runs.add(round > 0 ? getDistances(before, origins) : std::nullopt);
    before = std::move(origins);
  }
  const RegularRun &run = runs.getLongest();
  if (run.size() < std::max<int64_t>(minRounds, 2))
    return false;
  begin = run.begin;
  end = run.end;
  if (elision && !setElision(run))
    return false;
  steps = run.steps;
  findDistances();
  return true;
}

/// Sets the rounds between which others are elided; false if the run does not
/// show what these are.
bool Rounds::setElision(const RegularRun &run) {
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
  lastUsers.assign(repetition.period, repetition.period);
  for (int64_t i = 0; i < repetition.period; ++i)
    for (Value operand : getCommand(begin, i)->getOperands()) {
      Origin origin = getOrigin(begin, operand);
      if (!origin.isInside() || origin.distance < distances[origin.maker])
        continue;
      distances[origin.maker] = origin.distance;
      lastUsers[origin.maker] = i;
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
