//===- FstProperties.cpp - OpenFst's property bits of a graph -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// OpenFst stores two bits for each property of a graph, one for true and one
// for false. Neither is set if the property is unknown.
//
//===----------------------------------------------------------------------===//
#include "nnet3/Kaldi/Examples/CompactFst.h"
#include "llvm/ADT/STLExtras.h"

using namespace nnet3::kaldi;

using State = CompactFst::State;

namespace {
/// The bit for true; the one for false is the next higher one.
enum Property : uint64_t {
  kIDeterministic = uint64_t(1) << 18,
  kODeterministic = uint64_t(1) << 20,
  kEpsilons = uint64_t(1) << 22,
  kIEpsilons = uint64_t(1) << 24,
  kOEpsilons = uint64_t(1) << 26,
  kILabelSorted = uint64_t(1) << 28,
  kOLabelSorted = uint64_t(1) << 30,
  kWeighted = uint64_t(1) << 32,
  kCyclic = uint64_t(1) << 34,
  kInitialCyclic = uint64_t(1) << 36,
  kTopSorted = uint64_t(1) << 38,
  kAccessible = uint64_t(1) << 40,
  kCoAccessible = uint64_t(1) << 42,
  kString = uint64_t(1) << 44,
  kWeightedCycles = uint64_t(1) << 46,
};
} // namespace

static uint64_t tell(std::initializer_list<Property> properties, bool isTrue) {
  uint64_t bits = 0;
  for (Property property : properties)
    bits |= isTrue ? property : property << 1;
  return bits;
}

static bool isDeterministic(const State &state) {
  std::vector<int32_t> labels;
  for (const CompactFst::Arc &arc : state.arcs)
    labels.push_back(arc.label);
  llvm::sort(labels);
  return std::adjacent_find(labels.begin(), labels.end()) == labels.end();
}

static bool isSorted(const State &state) {
  return llvm::is_sorted(
      state.arcs, [](const CompactFst::Arc &a, const CompactFst::Arc &b) {
        return a.label < b.label;
      });
}

static bool isWeighted(const State &state) {
  return (state.final && *state.final != 0) ||
         llvm::any_of(state.arcs, [](const CompactFst::Arc &arc) {
           return arc.weight != 0;
         });
}

static bool hasEpsilon(const State &state) {
  return llvm::any_of(
      state.arcs, [](const CompactFst::Arc &arc) { return arc.label == 0; });
}

/// Returns true if the graph is one path: each state has an arc to the next
/// one, and the last one is final.
static bool isPath(const CompactFst &graph) {
  for (auto [number, state] : llvm::enumerate(graph.states)) {
    const bool isLast = number + 1 == graph.states.size();
    if (state.arcs.size() != (isLast ? 0 : 1) ||
        state.final.has_value() != isLast)
      return false;
    if (!isLast && state.arcs.front().target != int64_t(number) + 1)
      return false;
  }
  return graph.start == 0;
}

static bool isTopSorted(const CompactFst &graph) {
  for (auto [number, state] : llvm::enumerate(graph.states))
    for (const CompactFst::Arc &arc : state.arcs)
      if (arc.target <= int64_t(number))
        return false;
  return true;
}

/// Returns whether each state is reachable from the start, and whether each
/// state reaches a final one. The graph must be topologically sorted.
static std::pair<bool, bool> isAccessible(const CompactFst &graph) {
  const size_t size = graph.states.size();
  std::vector<bool> isReached(size), reaches(size);
  isReached[graph.start] = true;
  for (size_t i = 0; i < size; ++i)
    for (const CompactFst::Arc &arc : graph.states[i].arcs)
      if (isReached[i])
        isReached[arc.target] = true;
  for (size_t i = size; i-- > 0;)
    reaches[i] =
        graph.states[i].final ||
        llvm::any_of(graph.states[i].arcs, [&](const CompactFst::Arc &arc) {
          return reaches[arc.target];
        });
  return {llvm::all_of(isReached, [](bool is) { return is; }),
          llvm::all_of(reaches, [](bool does) { return does; })};
}

uint64_t nnet3::kaldi::getProperties(const CompactFst &graph) {
  uint64_t bits = CompactFst::kKnownProperties;
  if (graph.start < 0)
    return bits;
  const auto &states = graph.states;
  bits |= tell({kIDeterministic, kODeterministic},
               llvm::all_of(states, isDeterministic));
  bits |= tell({kEpsilons, kIEpsilons, kOEpsilons},
               llvm::any_of(states, hasEpsilon));
  bits |= tell({kILabelSorted, kOLabelSorted}, llvm::all_of(states, isSorted));
  bits |= tell({kWeighted}, llvm::any_of(states, isWeighted));
  bits |= tell({kString}, isPath(graph));
  if (!isTopSorted(graph))
    return bits | tell({kTopSorted}, false);
  auto [accessible, coAccessible] = isAccessible(graph);
  return bits | tell({kTopSorted}, true) |
         tell({kCyclic, kInitialCyclic, kWeightedCycles}, false) |
         tell({kAccessible}, accessible) | tell({kCoAccessible}, coAccessible);
}
