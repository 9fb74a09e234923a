//===- OpenFstGraphs.cpp - Graphs that OpenFst composes -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A separate module, so that other programs do not depend on OpenFst.
//
//===----------------------------------------------------------------------===//

#include "GraphModule.h"

#include <fst/arcsort.h>
#include <fst/compose.h>
#include <fst/determinize.h>
#include <fst/minimize.h>
#include <fst/rmepsilon.h>
#include <fst/vector-fst.h>

using namespace mlir::nnet3;
using fst::StdArc;
using fst::StdVectorFst;

/// If determinisation makes the graph larger than this, its input is faulty.
static constexpr int kMostStates = 200000;

static StdVectorFst toOpenFst(const PlainGraph &graph) {
  StdVectorFst result;
  for (size_t i = 0; i < graph.states.size(); ++i)
    result.AddState();
  if (graph.start >= 0)
    result.SetStart(graph.start);
  for (size_t i = 0; i < graph.states.size(); ++i) {
    result.SetFinal(i, graph.states[i].final);
    for (const PlainGraph::Arc &arc : graph.states[i].arcs)
      result.AddArc(i, StdArc(arc.label, arc.label, arc.weight, arc.target));
  }
  return result;
}

/// Converts the graph, and numbers the states breadth-first.
static PlainGraph fromOpenFst(const StdVectorFst &graph) {
  PlainGraph result;
  if (graph.Start() == fst::kNoStateId)
    return result;
  result.start = 0;
  std::vector<int32_t> order{graph.Start()}, numbers(graph.NumStates(), -1);
  numbers[graph.Start()] = 0;
  for (size_t next = 0; next < order.size(); ++next) {
    PlainGraph::State state{graph.Final(order[next]).Value(), {}};
    for (fst::ArcIterator<StdVectorFst> arcs(graph, order[next]); !arcs.Done();
         arcs.Next()) {
      const StdArc &arc = arcs.Value();
      int32_t &number = numbers[arc.nextstate];
      if (number < 0) {
        number = order.size();
        order.push_back(arc.nextstate);
      }
      state.arcs.push_back({arc.ilabel, arc.weight.Value(), number});
    }
    result.states.push_back(std::move(state));
  }
  return result;
}

/// Removes epsilons, determinises and minimises; returns an error message, or
/// an empty string.
static std::string makeSmall(StdVectorFst &graph) {
  // By default OpenFst aborts; now errors set a property of the graph.
  FLAGS_fst_error_fatal = false;
  fst::RmEpsilon(&graph);
  StdVectorFst deterministic;
  fst::DeterminizeOptions<StdArc> options;
  options.state_threshold = kMostStates;
  fst::Determinize(graph, &deterministic, options);
  if (deterministic.NumStates() >= kMostStates)
    return "the graph of a chunk has more than " + std::to_string(kMostStates) +
           " states when it is deterministic";
  fst::Minimize(&deterministic);
  if (deterministic.Properties(fst::kError, /*test=*/false))
    return "OpenFst does not minimise the graph of a chunk";
  graph = deterministic;
  return {};
}

extern "C" std::string nnet3_simplify_graph(PlainGraph &graph,
                                            const PlainGraph *other) {
  StdVectorFst small = toOpenFst(graph);
  std::string error = makeSmall(small);
  if (error.empty() && other) {
    StdVectorFst sorted = toOpenFst(*other), both;
    fst::ArcSort(&sorted, fst::ILabelCompare<StdArc>());
    fst::Compose(small, sorted, &both);
    error = makeSmall(both);
    small = both;
  }
  graph = fromOpenFst(small);
  return error;
}
