//===- DenominatorGraph.cpp - The denominator graph of LF-MMI -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/runtime/ChainObjective.h"

#include <cmath>
#include <numeric>
#include <string>

namespace nnet3 {
namespace rt {

/// Number of frames whose state probabilities are averaged.
static constexpr int kNumAveraged = 100;
/// Exclusive upper bound of the outgoing and final probabilities of a state.
static constexpr double kMostLeaving = 100;

/// Returns the sum of the outgoing and final probabilities of each state.
static Result<std::vector<double>> sumLeaving(const ChainGraph &graph) {
  std::vector<double> sums;
  for (int32_t s = 0; s < graph.numStates(); ++s) {
    double sum = std::exp(-double(graph.finalCosts[s]));
    for (int64_t a = graph.arcsBegin[s]; a < graph.arcsBegin[s + 1]; ++a)
      sum += std::exp(-double(graph.arcs[a].cost));
    if (!(sum > 0 && sum < kMostLeaving))
      return invalidArgument(
          "expects what leaves state " + std::to_string(s) +
          " to have a probability between 0 and 100, but got " +
          std::to_string(sum));
    sums.push_back(sum);
  }
  return sums;
}

/// Returns the average distribution over states in the first frames after the
/// start.
static std::vector<float> findInitial(const ChainGraph &graph,
                                      const std::vector<double> &leaving) {
  const size_t numStates = graph.finalCosts.size();
  std::vector<double> now(numStates), average(numStates);
  now[graph.start] = 1;
  for (int i = 0; i < kNumAveraged; ++i) {
    std::vector<double> next(numStates);
    for (size_t s = 0; s < numStates; ++s) {
      average[s] += now[s] / kNumAveraged;
      for (int64_t a = graph.arcsBegin[s]; a < graph.arcsBegin[s + 1]; ++a)
        next[graph.arcs[a].target] +=
            now[s] * std::exp(-double(graph.arcs[a].cost)) / leaving[s];
    }
    const double sum = std::accumulate(next.begin(), next.end(), 0.0);
    for (double &value : next)
      value /= sum;
    now = std::move(next);
  }
  return std::vector<float>(average.begin(), average.end());
}

static Status checkArcs(const ChainGraph &graph, int32_t numPdfs) {
  if (graph.start < 0 || graph.start >= graph.numStates())
    return invalidArgument("the denominator graph has no start");
  for (const ChainGraph::Arc &arc : graph.arcs)
    if (arc.pdf < 0 || arc.pdf >= numPdfs)
      return invalidArgument("expects a denominator graph of pdfs below " +
                             std::to_string(numPdfs) + ", but got " +
                             std::to_string(arc.pdf));
  return Status();
}

Result<DenominatorGraph> DenominatorGraph::create(const ChainGraph &graph,
                                                  int32_t numPdfs) {
  if (Status status = checkArcs(graph, numPdfs); !status.ok())
    return status;
  auto leaving = sumLeaving(graph);
  if (!leaving.ok())
    return leaving.status();
  DenominatorGraph result;
  result.pdfs = numPdfs;
  result.initial = findInitial(graph, *leaving);
  for (float value : result.initial)
    if (!std::isfinite(value))
      return invalidArgument("the denominator graph has states that no arc "
                             "leaves");

  const int32_t numStates = graph.numStates();
  result.out.begin = graph.arcsBegin;
  result.in.begin.assign(numStates + 1, 0);
  for (const ChainGraph::Arc &arc : graph.arcs) {
    result.out.arcs.push_back({arc.target, arc.pdf, std::exp(-arc.cost)});
    ++result.in.begin[arc.target + 1];
  }
  std::partial_sum(result.in.begin.begin(), result.in.begin.end(),
                   result.in.begin.begin());
  result.in.arcs.resize(graph.arcs.size());
  std::vector<int64_t> filled(result.in.begin.begin(),
                              result.in.begin.end() - 1);
  for (int32_t s = 0; s < numStates; ++s)
    for (int64_t a = graph.arcsBegin[s]; a < graph.arcsBegin[s + 1]; ++a)
      result.in.arcs[filled[graph.arcs[a].target]++] = {
          s, graph.arcs[a].pdf, result.out.arcs[a].probability};
  return result;
}

} // namespace rt
} // namespace nnet3
