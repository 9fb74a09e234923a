//===- Locations.cpp - The rows that commands read ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Compile/Locations.h"

#include <map>
#include <utility>

using namespace mlir;
using namespace mlir::nnet3;

//===----------------------------------------------------------------------===//
// Splitting for reading
//===----------------------------------------------------------------------===//

/// Returns the steps that more than half of the rows read; the last one to
/// appear comes first. For two steps this is mostly Kaldi's order, that of a
/// hash table, so that the optimisations see the same commands.
static SmallVector<int32_t> getLargeSteps(const LocationLists &lists) {
  SmallVector<int32_t> order;
  DenseMap<int32_t, size_t> counts;
  for (const auto &list : lists)
    for (const RowLocation &location : list)
      if (counts[location.step]++ == 0)
        order.push_back(location.step);
  llvm::erase_if(
      order, [&](int32_t step) { return counts[step] <= lists.size() / 2; });
  std::reverse(order.begin(), order.end());
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
    // Each large step takes its first location of every row; the rest is split
    // again.
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

/// Returns the number of steps in the vector; 2 for several.
static int countSteps(const LocationVector &vector) {
  int32_t step = -1;
  for (const RowLocation &location : vector) {
    if (location.step < 0)
      continue;
    if (step >= 0 && step != location.step)
      return 2;
    step = location.step;
  }
  return step < 0 ? 0 : 1;
}

std::vector<LocationVector>
mlir::nnet3::splitBackward(LocationVector vector,
                           function_ref<int32_t(int32_t)> getOwner) {
  std::vector<LocationVector> result;
  int numSteps = countSteps(vector);
  if (numSteps == 1)
    result.push_back(std::move(vector));
  if (numSteps <= 1)
    return result;
  // The k-th occurrence of a row goes to vector k.
  DenseMap<std::pair<int32_t, int32_t>, size_t> occurrences;
  for (auto [row, location] : llvm::enumerate(vector)) {
    if (location.step < 0)
      continue;
    size_t k = occurrences[{getOwner(location.step), location.entry}]++;
    if (k == result.size())
      result.emplace_back(vector.size());
    result[k][row] = location;
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Locations of a part
//===----------------------------------------------------------------------===//

namespace {
/// The locations that part `part` of a descriptor step adds.
class PartLocations {
public:
  PartLocations(const ComputationGraph &graph, const StepList &steps,
                const Step &step, const DescriptorPart &part,
                function_ref<bool(const RowLocation &)> wants)
      : graph(graph), steps(steps), rows(step.rows.rows), part(part),
        wants(wants) {}

  std::vector<ScaledVector> get();

private:
  bool addPlain(const SumExpr &sum, std::vector<ScaledVector> &result);
  std::vector<ScaledVector> getSplit();
  std::map<float, LocationLists> getLists();
  RowLocation locate(RowFinder &finder, const Cindex &source) const {
    RowLocation location = steps.locations[finder.find(source)];
    assert(location.step >= 0 && "a row is used before it has a place");
    return location;
  }

  const ComputationGraph &graph;
  const StepList &steps;
  ArrayRef<Index> rows;
  const DescriptorPart &part;
  function_ref<bool(const RowLocation &)> wants;
};
} // namespace

/// Appends one vector for each term of `sum`; false if rows have different
/// terms, or several terms with the same constant.
bool PartLocations::addPlain(const SumExpr &sum,
                             std::vector<ScaledVector> &result) {
  if (sum.kind == SumExpr::Kind::Failover ||
      sum.kind == SumExpr::Kind::IfDefined)
    return false;
  for (const SumExpr &operand : sum.operands)
    if (!addPlain(operand, result))
      return false;
  if (sum.kind != SumExpr::Kind::Forward)
    return true;
  ScaledVector term{0, LocationVector(rows.size())};
  bool any = false, anyWanted = false;
  RowFinder finder(graph);
  for (auto [index, location] : llvm::zip_equal(rows, term.locations)) {
    if (index.isBlank())
      continue;
    auto [source, alpha] = sum.forward.map(index);
    if (std::exchange(any, true) && alpha != term.alpha)
      return false;
    term.alpha = alpha;
    RowLocation found = locate(finder, source);
    if (!wants(found))
      continue;
    location = found;
    anyWanted = true;
  }
  if (llvm::any_of(result, [&](const ScaledVector &other) {
        return other.alpha == term.alpha;
      }))
    return false;
  if (anyWanted)
    result.push_back(std::move(term));
  return true;
}

/// Returns the wanted locations of each row, grouped by their constant factor
/// in ascending order.
std::map<float, LocationLists> PartLocations::getLists() {
  std::map<float, LocationLists> groups;
  auto available = [&](const Cindex &source) {
    int32_t id = graph.find(source);
    return id >= 0 && graph.isKept(id);
  };
  SmallVector<Term, 4> terms;
  RowFinder finder(graph);
  for (auto [entry, index] : llvm::enumerate(rows)) {
    if (index.isBlank())
      continue;
    terms.clear();
    part.sum.isComputable(index, available, &terms);
    if (terms.size() > 1)
      llvm::sort(terms, [](const Term &a, const Term &b) {
        return a.source == b.source ? a.alpha < b.alpha : a.source < b.source;
      });
    for (const Term &term : terms) {
      RowLocation location = locate(finder, term.source);
      if (!wants(location))
        continue;
      LocationLists &lists = groups[term.alpha];
      lists.resize(rows.size());
      lists[entry].push_back(location);
    }
  }
  return groups;
}

std::vector<ScaledVector> PartLocations::getSplit() {
  std::vector<ScaledVector> result;
  for (auto &[alpha, lists] : getLists())
    for (LocationVector &vector : splitLocations(std::move(lists)))
      result.push_back({alpha, std::move(vector)});
  return result;
}

std::vector<ScaledVector> PartLocations::get() {
  // Usually each term is one vector and needs no lists and no splitting.
  std::vector<ScaledVector> result;
  if (!addPlain(part.sum, result))
    return getSplit();
  llvm::sort(result, [](const ScaledVector &a, const ScaledVector &b) {
    return a.alpha < b.alpha;
  });
  return result;
}

std::vector<ScaledVector>
mlir::nnet3::getVectors(const ComputationGraph &graph, const StepList &steps,
                        const Step &step, const DescriptorPart &part,
                        function_ref<bool(const RowLocation &)> wants) {
  return PartLocations(graph, steps, step, part, wants).get();
}
