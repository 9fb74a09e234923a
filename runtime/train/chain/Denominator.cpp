//===- Denominator.cpp - Forward-backward of the denominator --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sequences are independent. The sequences of a block are the lanes of vectors:
// each matrix over states or pdfs has kLanes columns. Sums over arcs are in
// double precision.
//
//===----------------------------------------------------------------------===//

#include "Denominator.h"
#include "ForEachIndex.h"
#include "cpu/math/Clones.h"
#include "cpu/math/Float.h"

#include <cmath>

namespace nnet3 {
namespace rt {

/// Outputs are clipped to plus and minus this.
static constexpr float kLimit = 30;

using Arcs = DenominatorGraph::Arcs;

/// to(j) = scale * sum over the arcs into j of from(i) * p * e(pdf). Adds the
/// sums over j to \p total.
NNET3_CLONES static void stepForward(const Arcs &arcs, int32_t numStates,
                                     const float *from, const float *e,
                                     const double *scale, float *to,
                                     double *total) {
  for (int32_t j = 0; j < numStates; ++j) {
    double sum[kLanes] = {};
    for (int64_t a = arcs.begin[j]; a < arcs.begin[j + 1]; ++a) {
      const DenominatorGraph::Arc &arc = arcs.arcs[a];
      const float *source = from + int64_t(arc.state) * kLanes;
      const float *likelihood = e + int64_t(arc.pdf) * kLanes;
      for (int l = 0; l < kLanes; ++l)
        sum[l] += double(source[l] * arc.probability * likelihood[l]);
    }
    for (int l = 0; l < kLanes; ++l) {
      sum[l] *= scale[l];
      to[int64_t(j) * kLanes + l] = float(sum[l]);
      total[l] += sum[l];
    }
  }
}

/// to(i) = scale * sum over the arcs from i of p * e(pdf) * from(j). Adds the
/// posterior of each arc to \p occupation of its pdf.
NNET3_CLONES static void stepBackward(const Arcs &arcs, int32_t numStates,
                                      const float *from, const float *e,
                                      const double *scale, const float *forward,
                                      float *to, double *occupation) {
  for (int32_t i = 0; i < numStates; ++i) {
    double sum[kLanes] = {};
    float here[kLanes];
    for (int l = 0; l < kLanes; ++l)
      here[l] = float(forward[int64_t(i) * kLanes + l] * scale[l]);
    for (int64_t a = arcs.begin[i]; a < arcs.begin[i + 1]; ++a) {
      const DenominatorGraph::Arc &arc = arcs.arcs[a];
      const float *target = from + int64_t(arc.state) * kLanes;
      const float *likelihood = e + int64_t(arc.pdf) * kLanes;
      double *occupied = occupation + int64_t(arc.pdf) * kLanes;
      for (int l = 0; l < kLanes; ++l) {
        const float value = target[l] * arc.probability * likelihood[l];
        sum[l] += double(value);
        occupied[l] += double(here[l] * value);
      }
    }
    for (int l = 0; l < kLanes; ++l)
      to[int64_t(i) * kLanes + l] = float(sum[l] * scale[l]);
  }
}

/// Writes exp of \p x, clipped, to column \p lane of \p to.
NNET3_CLONES static void fillLane(int32_t cols, const float *x, float *to,
                                  int32_t lane, float *row) {
  for (int32_t c = 0; c < cols; ++c) {
    // NaN becomes the lower limit.
    const float atLeast = x[c] > -kLimit ? x[c] : -kLimit;
    row[c] = fastExp(atLeast < kLimit ? atLeast : kLimit);
  }
  for (int32_t c = 0; c < cols; ++c)
    to[int64_t(c) * kLanes + lane] = row[c];
}

namespace {
/// The forward-backward algorithm for up to kLanes sequences.
class Block {
public:
  Block(const DenominatorGraph &graph, float leak, int32_t numSequences,
        int32_t first, const ConstMatrixView &output)
      : graph(graph), leak(leak), numSequences(numSequences), first(first),
        numLanes(std::min(kLanes, numSequences - first)),
        numFrames(output.rows / numSequences),
        stateSize(size_t(graph.numStates()) * kLanes),
        pdfSize(size_t(graph.numPdfs()) * kLanes) {
    fillLikelihoods(output);
  }

  DenominatorSum run(float weight, const MatrixView &derivative) {
    DenominatorSum sum;
    runForward(sum);
    runBackward(weight, derivative, sum);
    return sum;
  }

private:
  void fillLikelihoods(const ConstMatrixView &output);
  void runForward(DenominatorSum &sum);
  void runBackward(float weight, const MatrixView &derivative,
                   DenominatorSum &sum);
  void addLeak(float *states, const double *amount) const;
  void subtract(int32_t frame, float weight, const double *occupation,
                const MatrixView &derivative) const;

  int64_t getRow(int32_t frame, int32_t lane) const {
    return int64_t(frame) * numSequences + first + lane;
  }

  const DenominatorGraph &graph;
  float leak;
  int32_t numSequences, first, numLanes, numFrames;
  size_t stateSize, pdfSize;
  /// exp of the outputs of each frame; 1 in lanes without a sequence.
  std::vector<float> likelihoods;
  /// Forward probabilities with the leak, before each frame and at the end.
  std::vector<float> forward;
  /// Scales that normalise each frame's probabilities to a sum of 1.
  std::vector<double> scales;
  double total[kLanes]; ///< of the forward probabilities at the end
};
} // namespace

void Block::fillLikelihoods(const ConstMatrixView &output) {
  likelihoods.assign(numFrames * pdfSize, 1);
  std::vector<float> row(output.cols);
  for (int32_t t = 0; t < numFrames; ++t)
    for (int32_t l = 0; l < numLanes; ++l)
      fillLane(output.cols, output.row(getRow(t, l)),
               likelihoods.data() + t * pdfSize, l, row.data());
}

/// Adds \p amount of each lane times the initial probabilities.
void Block::addLeak(float *states, const double *amount) const {
  const std::vector<float> &initial = graph.initialProbabilities();
  for (int32_t s = 0; s < graph.numStates(); ++s)
    for (int l = 0; l < kLanes; ++l)
      states[int64_t(s) * kLanes + l] += float(amount[l] * initial[s]);
}

void Block::runForward(DenominatorSum &sum) {
  forward.resize((numFrames + 1) * stateSize);
  scales.resize(size_t(numFrames) * kLanes);
  double sums[kLanes], leaked[kLanes];
  std::fill_n(sums, kLanes, 1.0);
  const std::vector<float> &initial = graph.initialProbabilities();
  for (int32_t s = 0; s < graph.numStates(); ++s)
    std::fill_n(forward.data() + int64_t(s) * kLanes, kLanes, initial[s]);
  for (int32_t t = 0;; ++t) {
    float *here = forward.data() + t * stateSize;
    for (int l = 0; l < kLanes; ++l)
      leaked[l] = leak * sums[l];
    addLeak(here, leaked);
    if (t == numFrames)
      break;
    double *scale = scales.data() + size_t(t) * kLanes;
    for (int l = 0; l < kLanes; ++l)
      scale[l] = 1 / sums[l];
    for (int l = 0; l < numLanes; ++l)
      sum.logProbability += std::log(sums[l]);
    std::fill_n(sums, kLanes, 0.0);
    stepForward(graph.incoming(), graph.numStates(), here,
                likelihoods.data() + t * pdfSize, scale, here + stateSize,
                sums);
  }
  // The initial probabilities sum to 1.
  for (int l = 0; l < kLanes; ++l)
    total[l] = sums[l] + leaked[l];
  for (int l = 0; l < numLanes; ++l)
    sum.logProbability += std::log(total[l]);
}

void Block::subtract(int32_t frame, float weight, const double *occupation,
                     const MatrixView &derivative) const {
  for (int32_t l = 0; l < numLanes; ++l) {
    float *row = derivative.row(getRow(frame, l));
    for (int32_t c = 0; c < derivative.cols; ++c)
      row[c] -= float(weight * occupation[int64_t(c) * kLanes + l]);
  }
}

void Block::runBackward(float weight, const MatrixView &derivative,
                        DenominatorSum &sum) {
  const std::vector<float> &initial = graph.initialProbabilities();
  std::vector<float> next(stateSize), here(stateSize);
  std::vector<double> occupation(pdfSize);
  for (size_t i = 0; i < stateSize; ++i)
    here[i] = float(1 / total[i % kLanes]);
  for (int32_t t = numFrames - 1; t >= 0; --t) {
    double leaked[kLanes] = {};
    for (size_t i = 0; i < stateSize; ++i)
      leaked[i % kLanes] += double(leak) * initial[i / kLanes] * here[i];
    std::swap(next, here);
    for (size_t i = 0; i < stateSize; ++i)
      next[i] += float(leaked[i % kLanes]);
    std::fill(occupation.begin(), occupation.end(), 0.0);
    stepBackward(
        graph.outgoing(), graph.numStates(), next.data(),
        likelihoods.data() + t * pdfSize, scales.data() + size_t(t) * kLanes,
        forward.data() + t * stateSize, here.data(), occupation.data());
    subtract(t, weight, occupation.data(), derivative);
  }
  for (size_t i = 0; i < pdfSize; ++i)
    if (int(i % kLanes) < numLanes)
      sum.pdfOccupation += occupation[i];
  for (size_t i = 0; i < stateSize; ++i)
    if (int(i % kLanes) < numLanes)
      sum.stateOccupation += double(forward[i]) * here[i];
}

DenominatorSum subtractDenominator(const DenominatorGraph &graph,
                                   int32_t numSequences, float leak,
                                   float weight, int32_t numThreads,
                                   ConstMatrixView output,
                                   MatrixView derivative) {
  const int32_t numBlocks = (numSequences + kLanes - 1) / kLanes;
  std::vector<DenominatorSum> sums(numBlocks);
  forEachIndex(numThreads, numBlocks, [&](int32_t block) {
    sums[block] = Block(graph, leak, numSequences, block * kLanes, output)
                      .run(weight, derivative);
  });
  DenominatorSum result;
  for (const DenominatorSum &sum : sums) {
    result.logProbability += sum.logProbability;
    result.pdfOccupation += sum.pdfOccupation;
    result.stateOccupation += sum.stateOccupation;
  }
  return result;
}

} // namespace rt
} // namespace nnet3
