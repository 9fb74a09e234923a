//===- StepRounds.cpp - Steps of a recurrence that repeat -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Compile/StepRounds.h"
#include "nnet3/Dialect/Nnet3/Analysis/RegularRun.h"
#include "nnet3/Dialect/Nnet3/Analysis/Repetitions.h"

#include <map>
#include <numeric>

using namespace mlir;
using namespace mlir::nnet3;

/// Maximum number of steps of a round.
static constexpr int64_t kMaxPeriod = 256;
/// Numbers of rounds before and behind the elided ones, besides as many as the
/// recurrence looks back: optimisation changes the first and the last rounds.
static constexpr int64_t kBefore = 1, kBehind = 1;
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
  RoundFinder(const ComputationGraph &graph, const StepList &list)
      : graph(graph), nodes(graph.getNodes()), list(list),
        epochs(computeEpochs(nodes)) {}

  std::vector<StepRounds> run();

private:
  int32_t getEpoch(int32_t step) const {
    return epochs.epochOf[list.steps[step].node];
  }
  void findIn(int32_t begin, int32_t end);
  std::optional<StepRounds> findRounds(Repetition repetition);
  bool alignRounds(Repetition &repetition);
  bool isShifted(int32_t step, int32_t period, int64_t &shift) const;
  void appendReads(const Repetition &repetition, int64_t round,
                   std::vector<ReadRow> &reads) const;
  ReadRow getReadRow(const Repetition &repetition, int64_t round,
                     RowLocation location) const;
  bool precomputesSame(const StepRounds &rounds) const;
  int64_t getLookBack(const Repetition &repetition, int64_t round) const;
  std::optional<StepRounds> elide(const Repetition &repetition,
                                  const RegularRun &run);
  void findReadSteps();
  bool findStacks(StepRounds &rounds) const;
  bool readsElided(const StepRounds &rounds, int32_t first) const;
  /// Calls `fn` for each row that the rows of a step read; a dim-range step is
  /// a view and reads none.
  template <typename Fn> void forEachRead(const Step &step, Fn fn) const {
    if (step.source >= 0)
      return;
    RowFinder finder(graph);
    for (const Index &index : step.rows.rows) {
      const int32_t id = index.isBlank() ? -1 : finder.find({step.node, index});
      if (id < 0 || !graph.isKept(id))
        continue;
      for (int32_t read : graph.getDependencies(id))
        fn(list.locations[read]);
    }
  }

  const ComputationGraph &graph;
  const NodeTable &nodes;
  const StepList &list;
  NodeEpochs epochs;
  /// For each step.
  std::vector<bool> isReadOutside;
  std::vector<StepRounds> result;
};
} // namespace

std::vector<StepRounds> RoundFinder::run() {
  findReadSteps();
  const int32_t numSteps = list.steps.size();
  for (int32_t begin = 0, end; begin < numSteps; begin = end) {
    end = begin + 1;
    if (list.steps[begin].isInput)
      continue;
    while (end < numSteps && getEpoch(end) == getEpoch(begin))
      ++end;
    if (epochs.nodes[getEpoch(begin)].size() > 1)
      findIn(begin, end);
  }
  return std::move(result);
}

/// Finds rounds among the steps of one epoch.
void RoundFinder::findIn(int32_t begin, int32_t end) {
  std::map<std::pair<int32_t, size_t>, int32_t> numbers;
  std::vector<int32_t> symbols;
  for (const Step &step : ArrayRef(list.steps).slice(begin, end - begin))
    symbols.push_back(numbers
                          .try_emplace({step.node, step.rows.rows.size()},
                                       int32_t(numbers.size()))
                          .first->second);
  // Most rounds have one or two steps of each node.
  const int64_t maxPeriod = std::min<int64_t>(kMaxPeriod, 2 * numbers.size());
  for (Repetition repetition :
       findRepetitions(symbols, maxPeriod, kBefore + kBehind + kMinElided)) {
    repetition.begin += begin;
    if (std::optional<StepRounds> rounds = findRounds(repetition))
      result.push_back(std::move(*rounds));
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

/// Joins rounds such that their rows move by a multiple of the network's
/// modulus in time; false if rows do not all move by the same time.
bool RoundFinder::alignRounds(Repetition &repetition) {
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
  const IndexRows &rows = list.steps[location.step].rows;
  const bool isSpread = rows.numSequences() > 1 && rows.block != 1;
  if (location.step >= repetition.begin)
    return {location.step - first, /*isInside=*/true, isSpread, location.entry};
  for (const StepRounds &rounds : result)
    if (rounds.contains(location.step))
      return {rounds.begin + rounds.getNumber(location.step),
              /*isInside=*/false, isSpread,
              rounds.getRound(location.step) * int64_t(rows.rows.size()) +
                  location.entry};
  return {location.step, /*isInside=*/false, isSpread, location.entry};
}

/// Whether each row of the step depends on the same row of the step before.
static bool isSimpleComponent(const Node &node) {
  return node.kind == Node::Kind::Component &&
         has(node.properties, ComponentProperties::Simple);
}

/// Appends the rows that a round reads, in the order of its rows.
void RoundFinder::appendReads(const Repetition &repetition, int64_t round,
                              std::vector<ReadRow> &reads) const {
  for (int64_t i = 0; i < repetition.period; ++i) {
    const Step &step =
        list.steps[repetition.begin + round * repetition.period + i];
    // A component that reads the same rows of its input in every round.
    if (i > 0 && isSimpleComponent(nodes[step.node]))
      continue;
    forEachRead(step, [&](RowLocation location) {
      reads.push_back(getReadRow(repetition, round, location));
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

/// Whether the component steps of elided rounds have the precomputed data of
/// the previous round.
bool RoundFinder::precomputesSame(const StepRounds &rounds) const {
  const int32_t first = rounds.begin + rounds.firstElided * rounds.period;
  for (int32_t step = first; rounds.isElided(step); ++step) {
    const Node &node = nodes[list.steps[step].node];
    if (node.kind != Node::Kind::Component)
      continue;
    ComponentOpInterface component = node.component;
    auto precompute = [&](int32_t at) {
      return component.precomputeIndexes(list.steps[at - 1].rows,
                                         list.steps[at].rows,
                                         /*needBackprop=*/false);
    };
    if (precompute(step) != precompute(step - rounds.period))
      return false;
  }
  return true;
}

/// Returns the largest number of rounds that round `round` looks back.
int64_t RoundFinder::getLookBack(const Repetition &repetition,
                                 int64_t round) const {
  std::vector<ReadRow> reads;
  appendReads(repetition, round, reads);
  int64_t lookBack = 0;
  for (const ReadRow &read : reads)
    if (read.isInside && read.step < 0)
      lookBack = std::max<int64_t>(
          lookBack, (repetition.period - 1 - read.step) / repetition.period);
  return lookBack;
}

/// Elides rounds in the middle of the run. Matrices that are passed on for d
/// rounds alternate between d + 1 places, so the number of elided rounds is a
/// multiple of all such d + 1.
std::optional<StepRounds> RoundFinder::elide(const Repetition &repetition,
                                             const RegularRun &run) {
  const int64_t lookBack = getLookBack(repetition, run.end - 1);
  int64_t unit = 1;
  for (int64_t d = 1; d <= lookBack && unit < run.end; ++d)
    unit = std::lcm(unit, d + 1);
  const int64_t before = kBefore + lookBack, behind = kBehind + lookBack;
  const int64_t numElided = (run.size() - before - behind) / unit * unit;
  if (numElided < std::max(kMinElided, lookBack))
    return std::nullopt;
  return StepRounds{int32_t(repetition.begin),  int32_t(repetition.period),
                    int32_t(repetition.rounds), int32_t(run.begin + before),
                    int32_t(numElided),         {}};
}

/// Records the steps that steps of other epochs read.
void RoundFinder::findReadSteps() {
  isReadOutside.resize(list.steps.size());
  for (int32_t id = 0; id < graph.size(); ++id) {
    if (!graph.isKept(id))
      continue;
    const int32_t epoch = epochs.epochOf[graph.getCindex(id).node];
    for (int32_t read : graph.getDependencies(id))
      if (epochs.epochOf[graph.getCindex(read).node] != epoch)
        isReadOutside[list.locations[read].step] = true;
  }
}

/// Finds the steps that need stacks; false if rows of several rounds cannot
/// form one matrix.
bool RoundFinder::findStacks(StepRounds &rounds) const {
  rounds.stacked.assign(rounds.period, false);
  const int32_t first = rounds.begin + rounds.firstElided * rounds.period;
  for (int32_t step = first; rounds.isElided(step); ++step)
    if (isReadOutside[step])
      rounds.stacked[rounds.getNumber(step)] = true;
  for (int32_t number = 0; number < rounds.period; ++number) {
    const Step &step = list.steps[rounds.begin + number];
    if (!rounds.stacked[number])
      continue;
    if (step.rows.numSequences() > 1 && step.rows.block != 1)
      return false;
    // A dim-range step is a view of its source's matrix.
    if (step.source >= 0 && !rounds.contains(step.source))
      return false;
    if (step.source >= 0)
      rounds.stacked[rounds.getNumber(step.source)] = true;
  }
  return true;
}

/// Whether a step of this epoch behind the regular rounds, from step `first`
/// on, reads rows of elided rounds.
bool RoundFinder::readsElided(const StepRounds &rounds, int32_t first) const {
  const int32_t epoch = getEpoch(rounds.begin);
  for (int32_t s = first; s < int32_t(list.steps.size()); ++s) {
    const Step &step = list.steps[s];
    if (step.isInput || getEpoch(s) != epoch)
      return false;
    if (rounds.isElided(step.source))
      return true;
    bool found = false;
    forEachRead(step, [&](RowLocation location) {
      found |= rounds.isElided(location.step);
    });
    if (found)
      return true;
  }
  return false;
}

std::optional<StepRounds> RoundFinder::findRounds(Repetition repetition) {
  if (!alignRounds(repetition))
    return std::nullopt;
  std::vector<ReadRow> before, after;
  RegularRunFinder runs;
  for (int64_t round = 0; round < repetition.rounds; ++round) {
    after.clear();
    appendReads(repetition, round, after);
    runs.add(round > 0 ? getDistances(before, after) : std::nullopt);
    std::swap(before, after);
  }
  const RegularRun &run = runs.getLongest();
  std::optional<StepRounds> rounds = elide(repetition, run);
  if (!rounds || !precomputesSame(*rounds) || !findStacks(*rounds) ||
      readsElided(*rounds, rounds->begin + run.end * rounds->period))
    return std::nullopt;
  return rounds;
}

std::vector<StepRounds>
mlir::nnet3::findStepRounds(const ComputationGraph &graph,
                            const StepList &steps) {
  return RoundFinder(graph, steps).run();
}
