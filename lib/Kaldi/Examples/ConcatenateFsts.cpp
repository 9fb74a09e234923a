//===- ConcatenateFsts.cpp - Concatenation of acceptors -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nnet3/Kaldi/Examples/CompactFst.h"
#include "nnet3/Kaldi/IO/KaldiError.h"
#include "llvm/ADT/STLExtras.h"

using namespace nnet3::kaldi;

using State = CompactFst::State;

static int64_t countArcs(const CompactFst &graph) {
  int64_t count = 0;
  for (const State &state : graph.states)
    count += state.arcs.size();
  return count;
}

/// Returns true if an arc leads to the start state.
static bool hasArcToStart(const CompactFst &graph) {
  return llvm::any_of(graph.states, [&](const State &state) {
    return llvm::any_of(state.arcs, [&](const CompactFst::Arc &arc) {
      return arc.target == graph.start;
    });
  });
}

static llvm::Error checkSize(const CompactFst &front, const CompactFst &back) {
  int64_t numFinal = llvm::count_if(
      front.states, [](const State &state) { return state.final; });
  int64_t perFinal = back.states[back.start].arcs.size();
  int64_t numArcs = countArcs(front) + countArcs(back) + numFinal * perFinal;
  if (numArcs <= CompactFst::kMaxArcs)
    return llvm::Error::success();
  return makeFileError("", "expects at most " +
                               llvm::Twine(CompactFst::kMaxArcs) +
                               " arcs in the graph of a minibatch, but got " +
                               llvm::Twine(numArcs));
}

/// Adds the outgoing arcs and the final weight of `start` to the final state
/// `state`.
static void goOn(const State &start, State &state) {
  float weight = *state.final;
  state.final.reset();
  if (start.final)
    state.final = weight + *start.final;
  for (const CompactFst::Arc &arc : start.arcs)
    state.arcs.push_back({arc.label, weight + arc.weight, arc.target});
}

/// Appends `back`, which is not empty, to `front`.
static void append(CompactFst &front, const CompactFst &back) {
  // Maps a state of `back` to its number in the result.
  bool keepsStart = hasArcToStart(back);
  auto getPlace = [&, offset = static_cast<int32_t>(front.states.size())](
                      int64_t state) -> int32_t {
    return offset + state - (!keepsStart && state > back.start);
  };
  std::vector<State> moved = back.states;
  for (State &state : moved)
    for (CompactFst::Arc &arc : state.arcs)
      arc.target = getPlace(arc.target);
  for (State &state : front.states)
    if (state.final)
      goOn(moved[back.start], state);
  for (auto [number, state] : llvm::enumerate(moved))
    if (keepsStart || static_cast<int64_t>(number) != back.start)
      front.states.push_back(std::move(state));
}

/// Reverses the order of the arcs of each state and numbers the states
/// breadth-first, like the reference's merged graphs. Unreachable states are
/// removed.
static CompactFst renumber(const CompactFst &graph) {
  constexpr int32_t kUnseen = -1;
  CompactFst result;
  result.start = 0;
  std::vector<int32_t> numberOf(graph.states.size(), kUnseen);
  std::vector<int32_t> order{static_cast<int32_t>(graph.start)};
  numberOf[graph.start] = 0;
  for (size_t next = 0; next < order.size(); ++next) {
    const State &from = graph.states[order[next]];
    State &to = result.states.emplace_back();
    to.final = from.final;
    for (const CompactFst::Arc &arc : llvm::reverse(from.arcs)) {
      int32_t &number = numberOf[arc.target];
      if (number == kUnseen) {
        number = order.size();
        order.push_back(arc.target);
      }
      to.arcs.push_back({arc.label, arc.weight, number});
    }
  }
  result.properties = getProperties(result);
  return result;
}

llvm::Expected<CompactFst>
nnet3::kaldi::concatenate(llvm::ArrayRef<CompactFst> graphs) {
  CompactFst result = graphs.front();
  for (const CompactFst &graph : graphs.drop_front()) {
    // The concatenation with an empty acceptor is empty.
    if (result.start < 0 || graph.start < 0)
      return CompactFst();
    if (llvm::Error error = checkSize(result, graph))
      return error;
    append(result, graph);
  }
  return graphs.size() == 1 || result.start < 0 ? result : renumber(result);
}
