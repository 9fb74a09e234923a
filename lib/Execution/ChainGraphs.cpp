//===- ChainGraphs.cpp - Graphs of chain training for the runtime ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Execution/ChainGraphs.h"
#include "nnet3/Kaldi/IO/KaldiError.h"

#include <limits>

using namespace ::nnet3::kaldi;
namespace rt = ::nnet3::rt;

static llvm::Error makeError(const llvm::Twine &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
}

llvm::Expected<rt::ChainGraph>
mlir::nnet3::getChainGraph(const CompactFst &fst) {
  if (fst.start < 0)
    return makeError("the graph has no start");
  rt::ChainGraph graph;
  graph.start = int32_t(fst.start);
  for (const CompactFst::State &state : fst.states) {
    for (const CompactFst::Arc &arc : state.arcs) {
      if (arc.label < 1)
        return makeError("the graph has arcs without label");
      graph.arcs.push_back({arc.target, arc.label - 1, arc.weight});
    }
    graph.arcsBegin.push_back(int64_t(graph.arcs.size()));
    graph.finalCosts.push_back(
        state.final.value_or(std::numeric_limits<float>::infinity()));
  }
  return graph;
}

llvm::Expected<rt::ChainSupervision>
mlir::nnet3::getChainSupervision(const ChainSupervision &supervision) {
  rt::ChainSupervision result;
  result.weight = supervision.weight;
  result.numSequences = supervision.numSequences;
  result.framesPerSequence = supervision.framesPerSequence;
  result.endToEnd = supervision.endToEnd;
  for (const CompactFst &fst : supervision.graphs) {
    auto graph = getChainGraph(fst);
    if (!graph)
      return graph.takeError();
    result.graphs.push_back(std::move(*graph));
  }
  return result;
}

llvm::Expected<rt::DenominatorGraph>
mlir::nnet3::readDenominatorGraph(llvm::StringRef path, int32_t numPdfs) {
  auto fst = readFstFile(path);
  if (!fst)
    return fst.takeError();
  auto graph = getChainGraph(*fst);
  if (!graph)
    return makeFileError(path, llvm::toString(graph.takeError()));
  auto result = rt::DenominatorGraph::create(*graph, numPdfs);
  if (!result.ok())
    return makeFileError(path, result.status().message());
  return std::move(*result);
}
