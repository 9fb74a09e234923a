//===- Locations.cpp - Which rows each command reads ----------------------===//

#include "nnet3/Compile/Locations.h"

using namespace mlir;
using namespace mlir::nnet3;

//===----------------------------------------------------------------------===//
// Splitting for reading
//===----------------------------------------------------------------------===//

/// Steps that more than half of the rows read, by first appearance.
static SmallVector<int32_t> getLargeSteps(const LocationLists &lists) {
  SmallVector<int32_t> order;
  DenseMap<int32_t, size_t> counts;
  for (const auto &list : lists)
    for (const RowLocation &location : list)
      if (counts[location.step]++ == 0)
        order.push_back(location.step);
  llvm::erase_if(
      order, [&](int32_t step) { return counts[step] <= lists.size() / 2; });
  return order;
}

std::vector<LocationVector> mlir::nnet3::splitLocations(LocationLists lists) {
  std::vector<LocationVector> vectors;
  while (true) {
    size_t longest = 0;
    for (const auto &list : lists)
      longest = std::max(longest, list.size());
    if (longest == 0)
      return vectors;
    SmallVector<int32_t> large;
    if (longest > 1)
      large = getLargeSteps(lists);
    if (large.empty()) {
      size_t first = vectors.size();
      vectors.resize(first + longest, LocationVector(lists.size()));
      for (auto [row, list] : llvm::enumerate(lists))
        for (auto [i, location] : llvm::enumerate(list))
          vectors[first + i][row] = location;
      return vectors;
    }
    // Each large step takes its first location of every row; what is left is
    // split again.
    for (int32_t step : large) {
      LocationVector &vector = vectors.emplace_back(lists.size());
      for (auto [row, list] : llvm::enumerate(lists)) {
        auto *it = llvm::find_if(list, [&](const RowLocation &location) {
          return location.step == step;
        });
        if (it == list.end())
          continue;
        vector[row] = *it;
        list.erase(it);
      }
    }
  }
}

//===----------------------------------------------------------------------===//
// Splitting for writing
//===----------------------------------------------------------------------===//

/// Splits a vector that names several steps: the k-th occurrence of a location
/// goes to vector k.
static void splitMixed(const LocationVector &vector,
                       std::vector<LocationVector> &result) {
  size_t first = result.size();
  DenseMap<std::pair<int32_t, int32_t>, size_t> occurrences;
  for (auto [row, location] : llvm::enumerate(vector)) {
    if (location.step < 0)
      continue;
    size_t k = first + occurrences[{location.step, location.entry}]++;
    if (k == result.size())
      result.emplace_back(vector.size());
    result[k][row] = location;
  }
}

std::vector<LocationVector>
mlir::nnet3::splitLocationsBackward(LocationLists lists) {
  std::vector<LocationVector> result;
  for (LocationVector &vector : splitLocations(std::move(lists))) {
    int32_t step = -1;
    bool mixed = false;
    for (const RowLocation &location : vector) {
      if (location.step < 0)
        continue;
      mixed |= step >= 0 && step != location.step;
      step = location.step;
    }
    if (mixed)
      splitMixed(vector, result);
    else if (step >= 0)
      result.push_back(std::move(vector));
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Locations of a part
//===----------------------------------------------------------------------===//

std::map<float, LocationLists>
mlir::nnet3::getLocations(const ComputationGraph &graph, const StepList &steps,
                          const Step &step, const DescriptorPart &part) {
  std::map<float, LocationLists> groups;
  auto available = [&](const Cindex &source) {
    int32_t id = graph.find(source);
    return id >= 0 && graph.isKept(id);
  };
  SmallVector<Term, 4> terms;
  for (auto [entry, index] : llvm::enumerate(step.rows.rows)) {
    if (index.isBlank())
      continue;
    terms.clear();
    part.sum.isComputable(index, available, &terms);
    if (terms.size() > 1)
      llvm::sort(terms, [](const Term &a, const Term &b) {
        return a.source == b.source ? a.alpha < b.alpha : a.source < b.source;
      });
    for (const Term &term : terms) {
      LocationLists &lists = groups[term.alpha];
      lists.resize(step.rows.rows.size());
      RowLocation location = steps.locations[graph.find(term.source)];
      assert(location.step >= 0 && "a row is used before it has a place");
      lists[entry].push_back(location);
    }
  }
  return groups;
}
