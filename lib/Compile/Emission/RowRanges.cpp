//===- RowRanges.cpp - Sums of regularly spaced rows ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Compile/RowRanges.h"

#include "mlir/Support/LLVM.h"

#include <map>

using namespace mlir;
using namespace mlir::nnet3;

namespace {
/// Equally spaced entries of the source that are added to one target.
struct Progression {
  int32_t target;
  int32_t first, last;
  int64_t step = 0; // between matrix rows; 0 for one entry alone
};

/// Tries one way of splitting. Each class of entries is split greedily into
/// progressions, in the order of the entries.
class Splitter {
public:
  Splitter(ArrayRef<int32_t> targets, int32_t numTargets,
           const IndexRows &source)
      : targets(targets), numTargets(numTargets), source(source) {}

  /// Entries with equal numbers modulo `numClasses` may form a progression;
  /// with `consecutive`, only at a distance of 1.
  std::vector<RowRanges> split(int64_t numClasses, bool consecutive);

private:
  void findProgressions(int64_t numClasses, bool consecutive);
  std::vector<RowRanges> pack() const;

  ArrayRef<int32_t> targets;
  int32_t numTargets;
  const IndexRows &source;
  std::vector<Progression> progressions;
};
} // namespace

void Splitter::findProgressions(int64_t numClasses, bool consecutive) {
  progressions.clear();
  // The current progression of each (target, class).
  DenseMap<int64_t, size_t> current;
  for (auto [i, target] : llvm::enumerate(targets)) {
    if (target < 0)
      continue;
    int32_t entry = i;
    auto [it, inserted] = current.try_emplace(
        target * numClasses + entry % numClasses, progressions.size());
    if (!inserted) {
      Progression &open = progressions[it->second];
      int64_t distance = source.rowOf(entry) - source.rowOf(open.last);
      bool continues =
          open.step ? distance == open.step : !consecutive || distance == 1;
      if (continues) {
        open.step = distance;
        open.last = entry;
        continue;
      }
      it->second = progressions.size();
    }
    progressions.push_back({target, entry, entry});
  }
}

/// Packs progressions into ranges of equal step with at most one progression
/// per target. Single entries fit any step.
std::vector<RowRanges> Splitter::pack() const {
  std::vector<RowRanges> result;
  auto put = [&](size_t number, const Progression &p) {
    if (number == result.size()) {
      RowRanges &ranges = result.emplace_back();
      ranges.first.assign(numTargets, -1);
      ranges.last.assign(numTargets, -1);
      ranges.step = std::max<int64_t>(p.step, 1);
    }
    result[number].first[p.target] = p.first;
    result[number].last[p.target] = p.last;
  };
  std::map<int64_t, SmallVector<size_t>> ofStep; // numbers of the ranges
  std::map<std::pair<int64_t, int32_t>, size_t> used;
  for (const Progression &p : progressions) {
    if (!p.step)
      continue;
    SmallVector<size_t> &numbers = ofStep[p.step];
    size_t k = used[{p.step, p.target}]++;
    if (k == numbers.size())
      numbers.push_back(result.size());
    put(numbers[k], p);
  }
  std::vector<size_t> next(numTargets); // first range that may be free
  for (const Progression &p : progressions) {
    if (p.step)
      continue;
    size_t &number = next[p.target];
    while (number < result.size() && result[number].first[p.target] >= 0)
      ++number;
    put(number, p);
  }
  return result;
}

std::vector<RowRanges> Splitter::split(int64_t numClasses, bool consecutive) {
  findProgressions(numClasses, consecutive);
  return pack();
}

std::vector<RowRanges> mlir::nnet3::splitIntoRanges(ArrayRef<int32_t> targets,
                                                    int32_t numTargets,
                                                    const IndexRows &source) {
  Splitter splitter(targets, numTargets, source);
  std::vector<RowRanges> best = splitter.split(1, /*consecutive=*/true);
  auto consider = [&](int64_t numClasses) {
    if (best.size() <= 1)
      return;
    auto other = splitter.split(numClasses, /*consecutive=*/false);
    if (other.size() < best.size())
      best = std::move(other);
  };
  consider(1);
  consider(source.block);
  return best;
}
