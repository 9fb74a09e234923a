//===- ChainObjective.h - Lattice-free MMI ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spec: chain.md 3 to 6. Rows of an output are t-major: frame t of sequence s
// is row t * numSequences + s.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_RUNTIME_CHAINOBJECTIVE_H
#define NNET3_RUNTIME_CHAINOBJECTIVE_H

#include "nnet3/runtime/MatrixView.h"
#include "nnet3/runtime/Status.h"

#include <cstdint>
#include <vector>

namespace nnet3 {
namespace rt {

/// A weighted acceptor of pdfs. Probabilities are exp(-cost).
struct ChainGraph {
  struct Arc {
    int32_t target; ///< a state
    int32_t pdf;
    float cost;
  };

  int32_t start = 0;
  /// The arcs of state s are arcsBegin[s] to arcsBegin[s + 1] - 1.
  std::vector<int64_t> arcsBegin = {0};
  std::vector<Arc> arcs;
  /// The final cost of each state; infinity if the state is not final.
  std::vector<float> finalCosts;

  int32_t numStates() const { return static_cast<int32_t>(finalCosts.size()); }
};

/// The denominator graph of LF-MMI, prepared for the forward-backward
/// algorithm.
class DenominatorGraph {
public:
  /// An arc, stored with one of its two states.
  struct Arc {
    int32_t state; ///< the other state
    int32_t pdf;
    float probability;
  };
  struct Arcs {
    std::vector<int64_t> begin; ///< first arc of each state, then the total
    std::vector<Arc> arcs;
  };

  /// Prepares \p graph. Errors: no start state; a pdf outside of 0 to
  /// \p numPdfs - 1; a state whose outgoing and final probabilities sum to 0 or
  /// less, or to 100 or more.
  static Result<DenominatorGraph> create(const ChainGraph &graph,
                                         int32_t numPdfs);

  int32_t numStates() const { return static_cast<int32_t>(initial.size()); }
  int32_t numPdfs() const { return pdfs; }
  /// The probability of starting in each state; sums to 1.
  const std::vector<float> &initialProbabilities() const { return initial; }
  const Arcs &incoming() const { return in; }
  const Arcs &outgoing() const { return out; }

private:
  DenominatorGraph() = default;

  int32_t pdfs = 0;
  std::vector<float> initial;
  Arcs in, out;
};

/// The numerator graphs of the sequences of a minibatch.
struct ChainSupervision {
  float weight = 1;
  int32_t numSequences = 0;
  int32_t framesPerSequence = 0;
  /// True: one graph for each sequence, without time structure. False: one
  /// acyclic graph, the concatenation of the graphs of all sequences.
  bool endToEnd = false;
  std::vector<ChainGraph> graphs;
};

struct ChainOptions {
  float l2Regularize = 0;
  float outOfRangeRegularize = 0.01f;
  /// Greater than 0 and less than 1.
  float leakyHmmCoefficient = 1e-5f;
  /// Number of threads that share the sequences. Does not change the results.
  int32_t numThreads = 1;
};

struct ChainObjective {
  /// The objective without the l2 term.
  double objective = 0;
  double l2Term = 0;
  double weight = 0; ///< frames, times the weight of the supervision
  /// The computation failed numerically: the objective is -10 per frame, and
  /// the derivative is that of the l2 term only.
  bool failed = false;
  /// Log-probabilities. The numerator's is multiplied by the weight unless the
  /// supervision is end-to-end.
  double numerator = 0, denominator = 0;
};

/// Computes the objective of \p output. \p derivative receives its derivative
/// with respect to \p output, including the l2 term and, if \p penalizesRange,
/// the penalty on values beyond +-30. \p crossEntropy, unless it has no data,
/// receives the posteriors of the numerator times the weight. Errors: different
/// shapes, graphs that do not match the supervision.
Result<ChainObjective> computeChainObjective(
    const DenominatorGraph &denominator, const ChainSupervision &supervision,
    const ChainOptions &options, bool penalizesRange, ConstMatrixView output,
    MatrixView derivative, MatrixView crossEntropy = MatrixView());

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_CHAINOBJECTIVE_H
