//===- StepRounds.cpp - Steps of a recurrence that repeat -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Compile/StepRounds.h"
#include "RoundUses.h"
#include "nnet3/Dialect/Nnet3/Analysis/RegularRun.h"
#include "nnet3/Dialect/Nnet3/Analysis/Repetitions.h"
#include "nnet3/Dialect/Nnet3/IR/PrecomputedTimes.h"

#include "llvm/ADT/Sequence.h"

#include <map>
#include <numeric>

using namespace mlir;
using namespace mlir::nnet3;

/// Maximum number of steps of a round.
static constexpr int64_t kMaxPeriod = 256;
/// Numbers of rounds whose commands come before and behind the elided ones,
/// besides as many as the recurrence looks back: optimisation changes the first
/// and the last rounds.
static constexpr int64_t kBefore = 1, kBehind = 2;
/// Minimum number of rounds to elide.
static constexpr int64_t kMinElided = 2;

namespace {
/// The row that a row of a round reads.
struct ReadRow {
  /// If the row is in a step of the rounds: the position of that step relative
  /// to the first one of the reading round. Otherwise the number of a step
  /// before the rounds, or of the first round's step in earlier rounds.
  int64_t step;
  bool isInside;
  /// Whether the rows of a time are not neighbours in the matrix, because its
  /// sequences are not innermost. Commands then have row tables, which cannot
  /// move.
  bool isSpread;
  int64_t row; ///< Entry of the step or, in earlier rounds, of its stack.

  /// Whether `other`, read by the next round, may be this row one round later.
  bool precedes(const ReadRow &other) const {
    return step == other.step && isInside == other.isInside &&
           (row == other.row || (!isInside && !isSpread));
  }
};

class RoundFinder {
public:
  RoundFinder(const ComputationGraph &graph, const StepList &list,
              const DerivativeRequest &request, const std::vector<bool> &needed)
      : graph(graph), nodes(graph.getNodes()), list(list), request(request),
        readers(graph, list, needed) {}

  std::vector<StepRounds> run();

private:
  void findIn(int32_t begin, int32_t end);
  std::optional<RegularRounds> findRounds(Repetition repetition);
  bool alignRounds(Repetition &repetition);
  bool isShifted(int32_t step, int32_t period, int64_t &shift) const;
  void appendReads(const Repetition &repetition, int64_t round,
                   std::vector<ReadRow> &reads) const;
  ReadRow getReadRow(const Repetition &repetition, int64_t round,
                     RowLocation location) const;
  DictionaryAttr precompute(int32_t step) const;
  bool precomputesSame(const RegularRounds &regular) const;
  bool needsMemo(const StepRounds &rounds) const;
  int64_t getLookBack(const Repetition &repetition, int64_t round) const;
  bool readsElided(const RegularRounds &regular) const;
  void getAdded(const AddedColumns &columns, const StepRounds &rounds,
                int64_t round, std::vector<uint64_t> &added) const;
  void elideBackward(const AddedColumns &columns, const RegularRounds &regular,
                     StepRounds &rounds) const;

  const ComputationGraph &graph;
  const NodeTable &nodes;
  const StepList &list;
  const DerivativeRequest &request;
  RowReaders readers;
  std::vector<RegularRounds> runs;
  std::vector<StepRounds> result;
};
} // namespace

std::vector<StepRounds> RoundFinder::run() {
  const int32_t numSteps = list.steps.size();
  for (int32_t begin = 0, end; begin < numSteps; begin = end) {
    end = begin + 1;
    if (list.steps[begin].isInput)
      continue;
    while (end < numSteps && readers.getEpoch(end) == readers.getEpoch(begin))
      ++end;
    if (readers.getEpochNodes(begin).size() > 1)
      findIn(begin, end);
  }
  if (request.needsDerivatives() && !runs.empty()) {
    const AddedColumns columns(graph, list, readers, result);
    for (auto [regular, rounds] : llvm::zip_equal(runs, result))
      elideBackward(columns, regular, rounds);
  }
  return std::move(result);
}

/// Finds rounds among the steps of one epoch.
void RoundFinder::findIn(int32_t begin, int32_t end) {
  std::map<std::tuple<int32_t, size_t, bool>, int32_t> numbers;
  std::vector<int32_t> symbols;
  for (int32_t step = begin; step < end; ++step)
    symbols.push_back(numbers
                          .try_emplace({list.steps[step].node,
                                        list.steps[step].rows.rows.size(),
                                        readers.hasDerivative(step)},
                                       int32_t(numbers.size()))
                          .first->second);
  // Most rounds have one or two steps of each node.
  const int64_t maxPeriod = std::min<int64_t>(kMaxPeriod, 2 * numbers.size());
  for (Repetition repetition :
       findRepetitions(symbols, maxPeriod, kBefore + kBehind + kMinElided)) {
    repetition.begin += begin;
    if (std::optional<RegularRounds> regular = findRounds(repetition)) {
      result.push_back(regular->rounds);
      runs.push_back(std::move(*regular));
    }
  }
}

/// Whether the step one period later has the same rows, shifted in time by
/// `shift`, which is set if it is 0.
bool RoundFinder::isShifted(int32_t step, int32_t period,
                            int64_t &shift) const {
  const Step &a = list.steps[step], &b = list.steps[step + period];
  if ((a.source < 0) != (b.source < 0) ||
      (a.source >= 0 && b.source - a.source != period) ||
      a.rows.block != b.rows.block ||
      a.rows.sequences.size() != b.rows.sequences.size())
    return false;
  for (auto [before, after] : llvm::zip_equal(a.rows.rows, b.rows.rows)) {
    if (before.isBlank() != after.isBlank() || before.n != after.n ||
        before.x != after.x)
      return false;
    const int64_t distance = int64_t(after.t) - before.t;
    if (before.isBlank())
      continue;
    if (shift == 0)
      shift = distance;
    if (distance == 0 || distance != shift)
      return false;
  }
  return true;
}

/// Lets a component be in the same round as its input, and joins rounds such
/// that their rows move by a multiple of the network's modulus in time; false
/// if rows do not all move by the same time.
bool RoundFinder::alignRounds(Repetition &repetition) {
  if (readers.getNode(repetition.begin).kind == Node::Kind::Component) {
    ++repetition.begin;
    --repetition.rounds;
  }
  int64_t shift = 0;
  for (int64_t i = 0; i + repetition.period < repetition.size(); ++i)
    if (!isShifted(repetition.begin + i, repetition.period, shift))
      return false;
  if (shift == 0)
    return false;
  const int64_t factor =
      nodes.getModulus() / std::gcd(shift, nodes.getModulus());
  if (factor > repetition.rounds)
    return false;
  repetition.period *= factor;
  repetition.rounds /= factor;
  return true;
}

ReadRow RoundFinder::getReadRow(const Repetition &repetition, int64_t round,
                                RowLocation location) const {
  const int64_t first = repetition.begin + round * repetition.period;
  const bool spread = readers.isSpread(location.step);
  if (location.step >= repetition.begin)
    return {location.step - first, /*isInside=*/true, spread, location.entry};
  // Columns of an earlier recurrence's rows have a step for each of its rounds.
  while (list.steps[location.step].source >= 0)
    location.step = list.steps[location.step].source;
  for (const StepRounds &rounds : result)
    if (rounds.contains(location.step))
      return {rounds.begin + rounds.getNumber(location.step),
              /*isInside=*/false, spread, getStackRow(rounds, list, location)};
  return {location.step, /*isInside=*/false, spread, location.entry};
}

/// Appends the rows that a round reads, in the order of its rows.
void RoundFinder::appendReads(const Repetition &repetition, int64_t round,
                              std::vector<ReadRow> &reads) const {
  for (int64_t i = 0; i < repetition.period; ++i) {
    const int32_t step = repetition.begin + round * repetition.period + i;
    // A component reads the same rows of its input in every round.
    if (!readers.isSimpleComponent(step))
      readers.forEachRead(step, [&](int32_t id) {
        reads.push_back(getReadRow(repetition, round, list.locations[id]));
      });
  }
}

/// Returns how much each row moves from one round to the next; nothing if the
/// reads are not the same one round later.
static std::optional<SmallVector<int64_t>>
getDistances(ArrayRef<ReadRow> before, ArrayRef<ReadRow> after) {
  if (before.size() != after.size())
    return std::nullopt;
  SmallVector<int64_t> distances;
  distances.reserve(before.size());
  for (auto [a, b] : llvm::zip_equal(before, after)) {
    if (!a.precedes(b))
      return std::nullopt;
    distances.push_back(b.row - a.row);
  }
  return distances;
}

/// Returns the precomputed data of a component step.
DictionaryAttr RoundFinder::precompute(int32_t step) const {
  ComponentOpInterface component = readers.getNode(step).component;
  return component.precomputeIndexes(list.steps[step - 1].rows,
                                     list.steps[step].rows,
                                     readers.hasDerivative(step));
}

/// Whether the component steps of elided rounds have the precomputed data of
/// the round before. Data that is relative to a time is the same, since rounds
/// differ only in time.
bool RoundFinder::precomputesSame(const RegularRounds &regular) const {
  const StepRounds &rounds = regular.rounds;
  const int32_t first = rounds.getStep(rounds.forward.first - 1),
                end = rounds.getStep(regular.endElided);
  for (int32_t step = first; step < first + rounds.period; ++step) {
    if (readers.getNode(step).kind != Node::Kind::Component)
      continue;
    const DictionaryAttr known = precompute(step);
    if (getFirstTime(known))
      continue;
    for (int32_t later = step + rounds.period; later < end;
         later += rounds.period)
      if (precompute(later) != known)
        return false;
  }
  return true;
}

/// Whether the backward pass needs memos of the rounds.
bool RoundFinder::needsMemo(const StepRounds &rounds) const {
  for (int32_t s = rounds.begin; s < rounds.begin + rounds.period; ++s)
    if (readers.hasDerivative(s) &&
        has(readers.getNode(s).properties, ComponentProperties::UsesMemo))
      return true;
  return false;
}

/// Returns the largest number of rounds that round `round` looks back. A
/// dim-range step has no matrix of its own, so its source counts.
int64_t RoundFinder::getLookBack(const Repetition &repetition,
                                 int64_t round) const {
  const int64_t first = repetition.begin + round * repetition.period;
  int64_t lookBack = 0;
  auto add = [&](int32_t id) {
    int32_t step = list.locations[id].step;
    while (list.steps[step].source >= 0)
      step = list.steps[step].source;
    if (step >= repetition.begin && step < first)
      lookBack = std::max<int64_t>(
          lookBack, llvm::divideCeil(first - step, repetition.period));
  };
  for (int64_t i = 0; i < repetition.period; ++i)
    readers.forEachRead(first + i, add);
  return lookBack;
}

/// Elides rounds in the middle of those from `begin` to `end`, with `before`
/// and `behind` rounds at either end; none if there are too few. Matrices that
/// are passed on for d rounds alternate between d + 1 places, so all such
/// d + 1 divide the number of elided rounds.
static ElidedRounds elide(int64_t lookBack, int64_t begin, int64_t end,
                          int64_t before, int64_t behind) {
  int64_t unit = 1;
  for (int64_t d = 1; d <= lookBack && unit < end; ++d)
    unit = std::lcm(unit, d + 1);
  const int64_t first = begin + before + lookBack;
  const int64_t count = (end - behind - lookBack - first) / unit * unit;
  ElidedRounds elided;
  if (count >= std::max(kMinElided, lookBack)) {
    elided.first = first;
    elided.count = count;
  }
  return elided;
}

/// Whether a step of this epoch behind the regular rounds reads rows of rounds
/// that may be elided.
bool RoundFinder::readsElided(const RegularRounds &regular) const {
  const StepRounds &rounds = regular.rounds;
  const int32_t begin = rounds.getStep(rounds.forward.first),
                end = rounds.getStep(regular.endElided);
  auto isElided = [&](int32_t step) { return step >= begin && step < end; };
  const int32_t epoch = readers.getEpoch(rounds.begin);
  for (int32_t s = rounds.getStep(regular.end); s < int32_t(list.steps.size());
       ++s) {
    const Step &step = list.steps[s];
    if (step.isInput || readers.getEpoch(s) != epoch)
      return false;
    if (isElided(step.source))
      return true;
    bool found = false;
    readers.forEachRead(
        s, [&](int32_t id) { found |= isElided(list.locations[id].step); });
    if (found)
      return true;
  }
  return false;
}

std::optional<RegularRounds> RoundFinder::findRounds(Repetition repetition) {
  if (!alignRounds(repetition))
    return std::nullopt;
  std::vector<ReadRow> before, after;
  RegularRunFinder finder;
  for (int64_t round = 0; round < repetition.rounds; ++round) {
    after.clear();
    appendReads(repetition, round, after);
    finder.add(round > 0 ? getDistances(before, after) : std::nullopt);
    std::swap(before, after);
  }
  RegularRounds regular;
  regular.begin = finder.getLongest().begin;
  regular.end = finder.getLongest().end;
  regular.lookBack = getLookBack(repetition, regular.end - 1);
  regular.endElided = regular.end - kBehind - regular.lookBack;
  regular.rounds.begin = repetition.begin;
  regular.rounds.period = repetition.period;
  regular.rounds.count = repetition.rounds;
  regular.rounds.forward =
      elide(regular.lookBack, regular.begin, regular.end, kBefore, kBehind);
  if (regular.rounds.forward.count == 0 || needsMemo(regular.rounds) ||
      !precomputesSame(regular) || readsElided(regular) ||
      !findForwardUses(regular, result, list, readers, request.modelDerivative))
    return std::nullopt;
  return regular;
}

/// Finds what commands before the backward pass of the recurrence add to the
/// derivatives of the round's rows, and of the rows that it reads.
void RoundFinder::getAdded(const AddedColumns &columns,
                           const StepRounds &rounds, int64_t round,
                           std::vector<uint64_t> &added) const {
  added.clear();
  const int32_t epoch = readers.getEpoch(rounds.begin);
  auto append = [&](int32_t id) {
    if (readers.hasDerivative(list.locations[id].step))
      added.push_back(columns.get(epoch, id));
  };
  for (int32_t step = rounds.getStep(round); step < rounds.getStep(round + 1);
       ++step) {
    if (rounds.stackedDerivs[rounds.getNumber(step)])
      readers.forEachRow(step, append);
    if (!readers.isSimpleComponent(step))
      readers.forEachRead(step, append);
  }
}

/// Elides rounds of the backward pass. A command that is the first to add to a
/// derivative becomes a copy, so rounds are alike only if the same has been
/// added to their derivatives before.
void RoundFinder::elideBackward(const AddedColumns &columns,
                                const RegularRounds &regular,
                                StepRounds &rounds) const {
  if (llvm::none_of(llvm::seq(rounds.getStep(0), rounds.getStep(1)),
                    [&](int32_t step) { return readers.hasDerivative(step); }))
    return;
  int64_t begin = regular.begin;
  std::vector<uint64_t> added, next;
  getAdded(columns, rounds, begin, added);
  for (int64_t round = begin + 1; round <= regular.end; ++round) {
    if (round < regular.end)
      getAdded(columns, rounds, round, next);
    if (round < regular.end && next == added)
      continue;
    ElidedRounds elided =
        elide(regular.lookBack, begin, round, kBehind, kBefore);
    if (elided.count > 0 &&
        findBackwardUses(elided, rounds, result, list, readers, columns))
      rounds.backward.push_back(std::move(elided));
    begin = round;
    std::swap(added, next);
  }
}

std::vector<StepRounds> mlir::nnet3::findStepRounds(
    const ComputationGraph &graph, const StepList &steps,
    const DerivativeRequest &request, const std::vector<bool> &needed) {
  return RoundFinder(graph, steps, request, needed).run();
}
