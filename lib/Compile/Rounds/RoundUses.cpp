//===- RoundUses.cpp - Matrices of rounds with elided ones ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RoundUses.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::nnet3;

namespace {
/// A row of a matrix as in StepRows. The step is -1 if the matrix belongs to a
/// single round.
struct MatrixRow {
  int32_t step;
  int64_t row;
};

/// The rows of one matrix that elided rounds use.
struct UsedRows {
  int64_t first = std::numeric_limits<int64_t>::max(), last = -1;

  void add(int64_t row) {
    first = std::min(first, row);
    last = std::max(last, row);
  }
  int64_t size() const { return last + 1 - first; }
};

/// Finds the rows that elided rounds use.
class UseFinder {
public:
  UseFinder(const StepRounds &rounds, ArrayRef<StepRounds> others,
            const StepList &list, const RowReaders &readers)
      : rounds(rounds), others(others), list(list), readers(readers) {}

  bool findRead(ElidedRounds &elided) const;
  bool findAdded(ElidedRounds &elided, const AddedColumns &added) const;

private:
  template <typename Fn>
  bool forEachRead(const ElidedRounds &elided, bool ofDerivs, Fn fn) const;
  MatrixRow getRow(bool ofDerivs, RowLocation location) const;
  /// Number of rows of a step for each sequence.
  int64_t getNumRows(int32_t step) const {
    return list.steps[step].rows.rows.size();
  }

  const StepRounds &rounds;
  ArrayRef<StepRounds> others;
  const StepList &list;
  const RowReaders &readers;
};
} // namespace

//===----------------------------------------------------------------------===//
// Stacks
//===----------------------------------------------------------------------===//

/// Records what the backward pass of a component step needs.
static void markComponent(StepRounds &rounds, int32_t step,
                          const RowReaders &readers, bool modelDerivative) {
  const int32_t number = rounds.getNumber(step);
  const ComponentProperties properties = readers.getNode(step).properties;
  if (has(properties, ComponentProperties::BackpropNeedsInput))
    rounds.savedValues[rounds.getNumber(step - 1)] = true;
  if (has(properties, ComponentProperties::BackpropNeedsOutput))
    rounds.savedValues[number] = true;
  if (modelDerivative && has(properties, ComponentProperties::Updatable) &&
      has(properties, ComponentProperties::Simple))
    rounds.updated[number] = rounds.stackedDerivs[number] = true;
}

/// Records the components that are updated once, and which values and
/// derivatives commands outside of the recurrence need.
static void markUses(RegularRounds &regular, const RowReaders &readers,
                     bool modelDerivative) {
  StepRounds &rounds = regular.rounds;
  for (auto *flags :
       {&rounds.savedValues, &rounds.stackedValues, &rounds.stackedDerivs,
        &rounds.partlyRead, &rounds.updated})
    flags->assign(rounds.period, false);
  for (int32_t step = rounds.getStep(rounds.forward.first);
       step < rounds.getStep(regular.endElided); ++step) {
    const int32_t number = rounds.getNumber(step);
    if (readers.isReadOutside(step)) {
      rounds.stackedValues[number] = true;
      rounds.stackedDerivs[number] = readers.hasDerivative(step);
    }
  }
  for (int32_t step = rounds.getStep(regular.begin);
       step < rounds.getStep(regular.end); ++step) {
    const int32_t number = rounds.getNumber(step);
    if (rounds.stackedValues[number] && !readers.isReadOutside(step))
      rounds.partlyRead[number] = true;
  }
  for (int32_t step = rounds.getStep(1); step < rounds.getStep(2); ++step)
    if (readers.getNode(step).kind == Node::Kind::Component &&
        readers.hasDerivative(step))
      markComponent(rounds, step, readers, modelDerivative);
  for (int32_t number = 0; number < rounds.period; ++number)
    if (rounds.savedValues[number])
      rounds.stackedValues[number] = true;
}

/// Stacks the sources of dim-range steps with stacks, which are views. False if
/// rows of several rounds cannot form one matrix.
static bool findStacks(const StepRounds &rounds, const StepList &list,
                       const RowReaders &readers, std::vector<bool> &stacked) {
  for (int32_t number = rounds.period; number-- > 0;) {
    const int32_t step = rounds.begin + number;
    if (!stacked[number])
      continue;
    if (readers.isSpread(step))
      return false;
    const int32_t source = list.steps[step].source;
    if (source >= 0 && !rounds.contains(source))
      return false;
    if (source >= 0)
      stacked[rounds.getNumber(source)] = true;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

int64_t mlir::nnet3::getStackRow(const StepRounds &rounds, const StepList &list,
                                 RowLocation location) {
  return rounds.getRound(location.step) *
             int64_t(list.steps[location.step].rows.rows.size()) +
         location.entry;
}

/// Returns the row of the matrix that holds a value or a derivative. The matrix
/// of a dim-range step is a view of its source's matrix.
MatrixRow UseFinder::getRow(bool ofDerivs, RowLocation location) const {
  while (list.steps[location.step].source >= 0)
    location.step = list.steps[location.step].source;
  auto isStacked = [&](const StepRounds &its) {
    const int32_t number = its.getNumber(location.step);
    return ofDerivs ? its.stackedDerivs[number] : its.stackedValues[number];
  };
  auto getRowOf = [&](const StepRounds &its) {
    return MatrixRow{its.begin + its.getNumber(location.step),
                     getStackRow(its, list, location)};
  };
  if (rounds.contains(location.step))
    return isStacked(rounds) ? getRowOf(rounds) : MatrixRow{-1, 0};
  for (const StepRounds &its : others)
    if (its.contains(location.step) && isStacked(its))
      return getRowOf(its);
  return {location.step, location.entry};
}

/// Calls `fn` for each row that the first elided round reads, or to whose
/// derivative it adds, with the number of the row and with the row that the
/// next round uses instead; false if these are in different matrices.
template <typename Fn>
bool UseFinder::forEachRead(const ElidedRounds &elided, bool ofDerivs,
                            Fn fn) const {
  SmallVector<std::pair<int32_t, MatrixRow>> before, after;
  auto append = [&](int32_t step, auto &rows) {
    rows.clear();
    readers.forEachRead(step, [&](int32_t id) {
      const RowLocation location = list.locations[id];
      if (!ofDerivs || readers.hasDerivative(location.step))
        rows.push_back({id, getRow(ofDerivs, location)});
    });
  };
  const int32_t first = rounds.getStep(elided.first);
  for (int32_t step = first; step < first + rounds.period; ++step) {
    if (readers.getNode(step).kind == Node::Kind::Component ||
        (ofDerivs && !readers.hasDerivative(step)))
      continue;
    append(step, before);
    append(step + rounds.period, after);
    for (auto [a, b] : llvm::zip_equal(before, after)) {
      const auto &[id, row] = a;
      if (row.step != b.second.step)
        return false;
      if (row.step >= 0)
        fn(id, row, b.second.row);
    }
  }
  return true;
}

/// Finds the rows, other than their own, that elided rounds read.
bool UseFinder::findRead(ElidedRounds &elided) const {
  llvm::MapVector<int32_t, UsedRows> used;
  auto add = [&](int32_t, MatrixRow read, int64_t next) {
    const int64_t numRows = getNumRows(read.step);
    const int64_t ownRows = elided.first * numRows;
    if (rounds.contains(read.step) && read.row >= ownRows)
      return;
    UsedRows &its = used[read.step];
    its.add(read.row);
    if (rounds.contains(read.step)) {
      its.add(ownRows - 1);
    } else if (readers.isSpread(read.step)) {
      its.add(0);
      its.add(numRows - 1);
    } else {
      its.add(read.row + (next - read.row) * (elided.count - 1));
    }
  };
  if (!forEachRead(elided, /*ofDerivs=*/false, add))
    return false;
  for (auto &[step, rows] : used)
    elided.read.push_back({step, rows.first, rows.size()});
  return true;
}

/// Finds the rows to whose derivatives elided rounds add, with their own rows,
/// which they read. The backward pass goes from the last round to the first, so
/// they are the first to add to as many rows as they move by, unless commands
/// outside of the recurrence have added before. False if there are other rows
/// in between.
bool UseFinder::findAdded(ElidedRounds &elided,
                          const AddedColumns &added) const {
  struct Target {
    int64_t distance; // from round to round
    bool isNew = true, isRegular = true;
    SmallVector<int64_t> rows; // of the first elided round
    UsedRows all;
  };
  llvm::MapVector<int32_t, Target> targets;
  const int32_t epoch = readers.getEpoch(rounds.begin);
  auto add = [&](int32_t id, MatrixRow read, int64_t next) {
    const int64_t distance = next - read.row;
    Target &its =
        targets.try_emplace(read.step, Target{distance, true, true, {}, {}})
            .first->second;
    its.isNew &= added.get(epoch, id) == 0;
    its.isRegular &= distance == its.distance && !readers.isSpread(read.step);
    its.rows.push_back(read.row);
    its.all.add(read.row);
    its.all.add(read.row + distance * (elided.count - 1));
  };
  if (!forEachRead(elided, /*ofDerivs=*/true, add))
    return false;
  for (auto &[step, target] : targets) {
    auto &[distance, isNew, isRegular, rows, all] = target;
    const int64_t numRows = getNumRows(step);
    if (rounds.contains(step)) {
      all.add(elided.first * numRows);
      all.add(elided.end() * numRows - 1);
    } else if (readers.isSpread(step)) {
      all.add(0);
      all.add(numRows - 1);
    }
    elided.added.push_back({{step, all.first, all.size()}, all.first, 0});
    if (!isNew || distance == 0)
      continue;
    llvm::sort(rows);
    rows.erase(llvm::unique(rows), rows.end());
    const int64_t size = rows.size(), count = std::abs(distance) * elided.count;
    if (!isRegular || size != rows.back() - rows.front() + 1 ||
        size < std::abs(distance))
      return false;
    elided.added.back().firstNew =
        distance > 0 ? rows.front() : rows.back() + 1 - count;
    elided.added.back().countNew = count;
  }
  return true;
}

bool mlir::nnet3::findForwardUses(RegularRounds &regular,
                                  ArrayRef<StepRounds> earlier,
                                  const StepList &list,
                                  const RowReaders &readers,
                                  bool modelDerivative) {
  StepRounds &rounds = regular.rounds;
  markUses(regular, readers, modelDerivative);
  return findStacks(rounds, list, readers, rounds.stackedValues) &&
         findStacks(rounds, list, readers, rounds.stackedDerivs) &&
         UseFinder(rounds, earlier, list, readers).findRead(rounds.forward);
}

bool mlir::nnet3::findBackwardUses(ElidedRounds &elided,
                                   const StepRounds &rounds,
                                   ArrayRef<StepRounds> all,
                                   const StepList &list,
                                   const RowReaders &readers,
                                   const AddedColumns &added) {
  return UseFinder(rounds, all, list, readers).findAdded(elided, added);
}
