//===- SupervisionGraphs.cpp - Supervision graphs of chain examples -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SupervisionGraphs.h"
#include "OpenFst/GraphModule.h"
#include "nnet3/Kaldi/IO/KaldiError.h"
#include "nnet3/Tools/Common/Modules.h"

#include <cmath>

using namespace ::nnet3::kaldi;
using namespace mlir::nnet3;
using llvm::Expected;

static PlainGraph toPlain(const CompactFst &graph) {
  PlainGraph result;
  result.start = graph.start;
  for (const CompactFst::State &state : graph.states) {
    PlainGraph::State &to =
        result.states.emplace_back(PlainGraph::State{INFINITY, {}});
    if (state.final)
      to.final = *state.final;
    for (const CompactFst::Arc &arc : state.arcs)
      to.arcs.push_back({arc.label, arc.weight, arc.target});
  }
  return result;
}

static CompactFst fromPlain(const PlainGraph &graph) {
  CompactFst result;
  result.start = graph.start;
  for (const PlainGraph::State &state : graph.states) {
    CompactFst::State &to = result.states.emplace_back();
    if (state.final != INFINITY)
      to.final = state.final;
    for (const PlainGraph::Arc &arc : state.arcs)
      to.arcs.push_back({arc.label, arc.weight, arc.target});
  }
  result.properties = getProperties(result);
  return result;
}

Expected<CompactFst>
mlir::nnet3::simplify(const CompactFst &graph,
                      const std::optional<CompactFst> &normalization) {
  auto loaded = loadModule("nnet3_openfst", kSimplifyGraph,
                           "supervision of chain examples needs a build with "
                           "OpenFst");
  if (!loaded)
    return loaded.takeError();
  auto *simplifyGraph = reinterpret_cast<SimplifyGraphFn *>(*loaded);
  PlainGraph result = toPlain(graph), other;
  if (normalization)
    other = toPlain(*normalization);
  const std::string error =
      simplifyGraph(result, normalization ? &other : nullptr);
  if (!error.empty())
    return makeFileError("", error);
  return fromPlain(result);
}
