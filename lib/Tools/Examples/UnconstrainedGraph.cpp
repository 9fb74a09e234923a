//===- UnconstrainedGraph.cpp - Unaligned supervision ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "UnconstrainedGraph.h"
#include "SupervisionGraphs.h"
#include "nnet3/Kaldi/IO/KaldiError.h"
#include "nnet3/Kaldi/IO/ReadObject.h"

#include "llvm/ADT/STLExtras.h"

#include <map>

using namespace ::nnet3::kaldi;
using namespace mlir::nnet3;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// Labels
//===----------------------------------------------------------------------===//

Expected<TransitionLabels> TransitionLabels::read(StringRef path) {
  auto model = readObject(path, readTransitionModel);
  if (!model)
    return model.takeError();
  auto ids = getTransitionIds(*model);
  if (!ids)
    return makeFileError(path, llvm::toString(ids.takeError()));
  TransitionLabels result;
  result.ids = std::move(*ids);
  result.selfLoopPdfs.assign(model->tuples.size(), -1);
  for (const TransitionId &id : result.ids) {
    result.numPdfs = std::max(result.numPdfs, id.pdf + 1);
    if (id.isSelfLoop)
      result.selfLoopPdfs[id.state] = id.pdf;
  }
  return result;
}

std::string TransitionLabels::check(const CompactFst &graph) const {
  for (const CompactFst::State &state : graph.states)
    for (const CompactFst::Arc &arc : state.arcs)
      if (arc.label < 1 || size_t(arc.label) > ids.size())
        return ("expects transition-ids from 1 to " + Twine(ids.size()) +
                " as labels, but got " + Twine(arc.label))
            .str();
  return {};
}

std::vector<int32_t> mlir::nnet3::getPathPdfs(const CompactFst &chunk,
                                              const TransitionLabels &labels) {
  // Arcs lead to later states, so a backward loop finds the first arc of each
  // state that leads to a final state.
  std::vector<const CompactFst::Arc *> next(chunk.states.size());
  const auto ends = [&](const CompactFst::Arc &arc) {
    return chunk.states[arc.target].final || next[arc.target];
  };
  for (size_t state = chunk.states.size(); state-- > 0;) {
    const auto &arcs = chunk.states[state].arcs;
    auto found = llvm::find_if(arcs, ends);
    if (found != arcs.end())
      next[state] = &*found;
  }
  std::vector<int32_t> pdfs;
  for (const CompactFst::Arc *arc = next[chunk.start]; arc;
       arc = next[arc->target])
    pdfs.push_back(labels.get(arc->label).pdf);
  return pdfs;
}

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

/// Replaces the labels of self-loops after the first frame by epsilon.
static void removeSelfLoops(CompactFst &chunk, const TransitionLabels &labels) {
  for (auto [number, state] : llvm::enumerate(chunk.states))
    for (CompactFst::Arc &arc : state.arcs)
      if (int64_t(number) != chunk.start && labels.get(arc.label).isSelfLoop)
        arc.label = 0;
}

/// Adds a loop to each state with the self-loop pdf of the last
/// transition-state; the result has a state for each pair of a state and a
/// transition-state. Labels become pdfs plus 1.
static CompactFst addSelfLoops(const CompactFst &graph,
                               const TransitionLabels &labels) {
  // A state of `graph` and the last transition-state; none at the start.
  using Place = std::pair<int32_t, int32_t>;
  constexpr int32_t kNone = -1;
  std::vector<Place> places = {{static_cast<int32_t>(graph.start), kNone}};
  std::map<Place, int32_t> numbers = {{places.front(), 0}};
  CompactFst result;
  result.start = 0;
  for (size_t next = 0; next < places.size(); ++next) {
    const auto [number, transitionState] = places[next];
    const CompactFst::State &from = graph.states[number];
    CompactFst::State state;
    state.final = from.final;
    const int32_t selfLoop = transitionState == kNone
                                 ? kNone
                                 : labels.getSelfLoopPdf(transitionState);
    if (selfLoop != kNone)
      state.arcs.push_back({selfLoop + 1, 0, static_cast<int32_t>(next)});
    for (const CompactFst::Arc &arc : from.arcs) {
      const TransitionId &id = labels.get(arc.label);
      const Place place = {arc.target, id.state};
      auto [found, isNew] = numbers.try_emplace(place, places.size());
      if (isNew)
        places.push_back(place);
      state.arcs.push_back({id.pdf + 1, arc.weight, found->second});
    }
    result.states.push_back(std::move(state));
  }
  return result;
}

Expected<CompactFst>
mlir::nnet3::makeUnconstrained(CompactFst chunk, const TransitionLabels &labels,
                               const std::optional<CompactFst> &normalization) {
  removeSelfLoops(chunk, labels);
  Expected<CompactFst> order = simplify(chunk, std::nullopt);
  if (!order || order->states.empty())
    return order;
  return simplify(addSelfLoops(*order, labels), normalization);
}
