//===- Numerator.cpp - Forward-backward of the numerator ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Numerator.h"
#include "ForEachIndex.h"

#include <cmath>
#include <limits>
#include <string>

namespace nnet3 {
namespace rt {

static constexpr double kNever = -std::numeric_limits<double>::infinity();

/// Returns log(exp(a) + exp(b)); NaN counts as probability 0.
static double logAdd(double a, double b) {
  if (!(b > kNever))
    return a;
  if (!(a > kNever))
    return b;
  const double larger = a > b ? a : b, smaller = a > b ? b : a;
  return larger + std::log1p(std::exp(smaller - larger));
}

static Status checkGraph(const ChainGraph &graph, int32_t numPdfs) {
  if (graph.start != 0 || graph.numStates() == 0)
    return invalidArgument("expects a graph that starts at state 0, but got " +
                           std::to_string(graph.start));
  for (const ChainGraph::Arc &arc : graph.arcs)
    if (arc.pdf < 0 || arc.pdf >= numPdfs)
      return invalidArgument("expects a graph of pdfs below " +
                             std::to_string(numPdfs) + ", but got " +
                             std::to_string(arc.pdf));
  return Status();
}

//===----------------------------------------------------------------------===//
// One acyclic graph for all sequences
//===----------------------------------------------------------------------===//

/// Returns the number of arcs from the start to each state; -1 if there is no
/// path.
static Result<std::vector<int32_t>> findTimes(const ChainGraph &graph,
                                              int32_t numFrames) {
  std::vector<int32_t> times(graph.numStates(), -1);
  times[0] = 0;
  for (int32_t s = 0; s < graph.numStates(); ++s) {
    if (times[s] < 0)
      continue;
    const bool isFinal = std::isfinite(graph.finalCosts[s]);
    const bool goesOn = graph.arcsBegin[s] != graph.arcsBegin[s + 1];
    if ((isFinal && times[s] != numFrames) || (goesOn && times[s] >= numFrames))
      return invalidArgument("expects paths of " + std::to_string(numFrames) +
                             " frames, but got others through state " +
                             std::to_string(s));
    for (int64_t a = graph.arcsBegin[s]; a < graph.arcsBegin[s + 1]; ++a) {
      int32_t &time = times[graph.arcs[a].target];
      if (graph.arcs[a].target <= s || (time >= 0 && time != times[s] + 1))
        return invalidArgument("expects states in the order of time, but got "
                               "an arc from state " +
                               std::to_string(s) + " to state " +
                               std::to_string(graph.arcs[a].target));
      time = times[s] + 1;
    }
  }
  return times;
}

static Result<double> addRegular(const ChainSupervision &supervision,
                                 const ConstMatrixView &output,
                                 const MatrixView &posteriors) {
  const ChainGraph &graph = supervision.graphs.front();
  auto times = findTimes(graph, output.rows);
  if (!times.ok())
    return times.status();
  auto rowOf = [&](int32_t state) -> int64_t {
    const int32_t time = (*times)[state];
    return int64_t(time % supervision.framesPerSequence) *
               supervision.numSequences +
           time / supervision.framesPerSequence;
  };
  const int32_t numStates = graph.numStates();
  std::vector<double> scores(graph.arcs.size());
  std::vector<double> forward(numStates, kNever), backward(numStates, kNever);
  forward[0] = 0;
  double logProbability = kNever;
  for (int32_t s = 0; s < numStates; ++s) {
    if ((*times)[s] < 0)
      continue;
    for (int64_t a = graph.arcsBegin[s]; a < graph.arcsBegin[s + 1]; ++a) {
      const ChainGraph::Arc &arc = graph.arcs[a];
      scores[a] = double(output.row(rowOf(s))[arc.pdf]) - arc.cost;
      forward[arc.target] = logAdd(forward[arc.target], forward[s] + scores[a]);
    }
    logProbability = logAdd(logProbability, forward[s] - graph.finalCosts[s]);
  }
  if (!std::isfinite(logProbability))
    return logProbability;
  for (int32_t s = numStates - 1; s >= 0; --s) {
    if ((*times)[s] < 0)
      continue;
    backward[s] = -graph.finalCosts[s];
    for (int64_t a = graph.arcsBegin[s]; a < graph.arcsBegin[s + 1]; ++a) {
      const ChainGraph::Arc &arc = graph.arcs[a];
      const double after = scores[a] + backward[arc.target];
      const double posterior = std::exp(forward[s] + after - logProbability);
      if (posterior > 0)
        posteriors.row(rowOf(s))[arc.pdf] +=
            float(supervision.weight * posterior);
      backward[s] = logAdd(backward[s], after);
    }
  }
  return logProbability;
}

//===----------------------------------------------------------------------===//
// A cyclic graph for each sequence
//===----------------------------------------------------------------------===//

static double addEndToEnd(const ChainSupervision &supervision, int32_t sequence,
                          const ConstMatrixView &output,
                          const MatrixView &posteriors) {
  const ChainGraph &graph = supervision.graphs[sequence];
  const int32_t numStates = graph.numStates();
  const int32_t numFrames = supervision.framesPerSequence;
  auto rowOf = [&](int32_t t) -> int64_t {
    return int64_t(t) * supervision.numSequences + sequence;
  };
  std::vector<double> forward(size_t(numFrames + 1) * numStates, kNever);
  forward[0] = 0;
  for (int32_t t = 0; t < numFrames; ++t) {
    const double *here = forward.data() + size_t(t) * numStates;
    double *next = forward.data() + size_t(t + 1) * numStates;
    const float *x = output.row(rowOf(t));
    for (int32_t s = 0; s < numStates; ++s) {
      if (here[s] == kNever)
        continue;
      for (int64_t a = graph.arcsBegin[s]; a < graph.arcsBegin[s + 1]; ++a) {
        const ChainGraph::Arc &arc = graph.arcs[a];
        next[arc.target] =
            logAdd(next[arc.target], here[s] + x[arc.pdf] - arc.cost);
      }
    }
  }
  std::vector<double> backward(numStates), before(numStates);
  double logProbability = kNever;
  for (int32_t s = 0; s < numStates; ++s) {
    backward[s] = -graph.finalCosts[s];
    logProbability =
        logAdd(logProbability,
               forward[size_t(numFrames) * numStates + s] + backward[s]);
  }
  if (!std::isfinite(logProbability))
    return logProbability;
  std::vector<double> row(output.cols);
  for (int32_t t = numFrames - 1; t >= 0; --t) {
    const double *here = forward.data() + size_t(t) * numStates;
    const float *x = output.row(rowOf(t));
    std::fill(row.begin(), row.end(), 0.0);
    for (int32_t s = 0; s < numStates; ++s) {
      before[s] = kNever;
      for (int64_t a = graph.arcsBegin[s]; a < graph.arcsBegin[s + 1]; ++a) {
        const ChainGraph::Arc &arc = graph.arcs[a];
        const double after = x[arc.pdf] - arc.cost + backward[arc.target];
        before[s] = logAdd(before[s], after);
        const double posterior = std::exp(here[s] + after - logProbability);
        if (posterior > 0)
          row[arc.pdf] += posterior;
      }
    }
    std::swap(backward, before);
    for (int32_t c = 0; c < output.cols; ++c)
      posteriors.row(rowOf(t))[c] += float(supervision.weight * row[c]);
  }
  return logProbability;
}

Result<double> addNumerator(const ChainSupervision &supervision,
                            int32_t numThreads, ConstMatrixView output,
                            MatrixView posteriors) {
  const size_t numGraphs = supervision.endToEnd ? supervision.numSequences : 1;
  if (supervision.graphs.size() != numGraphs)
    return invalidArgument("expects " + std::to_string(numGraphs) +
                           " graphs, but got " +
                           std::to_string(supervision.graphs.size()));
  for (const ChainGraph &graph : supervision.graphs)
    if (Status status = checkGraph(graph, output.cols); !status.ok())
      return status;
  if (!supervision.endToEnd)
    return addRegular(supervision, output, posteriors);
  std::vector<double> sums(supervision.numSequences);
  forEachIndex(numThreads, supervision.numSequences, [&](int32_t sequence) {
    sums[sequence] = addEndToEnd(supervision, sequence, output, posteriors);
  });
  double sum = 0;
  for (double one : sums)
    sum += one;
  return sum;
}

} // namespace rt
} // namespace nnet3
