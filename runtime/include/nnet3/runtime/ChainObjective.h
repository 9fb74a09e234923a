//===- ChainObjective.h - Lattice-free MMI ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spec: chain.md 3 to 6. Rows of an output are t-major: that of frame t of
// sequence s is t * numSequences + s.
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
  /// Arcs of state s are those from arcsBegin[s] up to arcsBegin[s + 1].
  std::vector<int64_t> arcsBegin = {0};
  std::vector<Arc> arcs;
  /// Of each state; infinity where it is not final.
  std::vector<float> finalCosts;

  int32_t numStates() const { return static_cast<int32_t>(finalCosts.size()); }
};

/// The graph of all that may be said, made ready for the sums over its paths.
class DenominatorGraph {
public:
  /// An arc, seen from one of its ends.
  struct Arc {
    int32_t state; ///< at the other end
    int32_t pdf;
    float probability;
  };
  struct Arcs {
    std::vector<int64_t> begin; ///< of each state, and the end of the last
    std::vector<Arc> arcs;
  };

  /// Errors: no start; pdfs that are not below \p numPdfs; a state whose arcs
  /// and final probability do not sum to more than 0 and less than 100.
  static Result<DenominatorGraph> create(const ChainGraph &graph,
                                         int32_t numPdfs);

  int32_t numStates() const { return static_cast<int32_t>(initial.size()); }
  int32_t numPdfs() const { return pdfs; }
  /// How likely sequences are to begin in each state. Sums to 1.
  const std::vector<float> &initialProbabilities() const { return initial; }
  const Arcs &incoming() const { return in; }
  const Arcs &outgoing() const { return out; }

private:
  DenominatorGraph() = default;

  int32_t pdfs = 0;
  std::vector<float> initial;
  Arcs in, out;
};

/// What may have been said in the sequences of a minibatch.
struct ChainSupervision {
  float weight = 1;
  int32_t numSequences = 0;
  int32_t framesPerSequence = 0;
  /// Whether graphs have no time structure and there is one for each sequence,
  /// instead of one acyclic graph of all sequences one behind the other.
  bool endToEnd = false;
  std::vector<ChainGraph> graphs;
};

struct ChainOptions {
  float l2Regularize = 0;
  float outOfRangeRegularize = 0.01f;
  /// Between 0 and 1, without both.
  float leakyHmmCoefficient = 1e-5f;
  /// Threads over sequences. Has no effect on results.
  int32_t numThreads = 1;
};

struct ChainObjective {
  /// What is maximised, without the l2 term.
  double objective = 0;
  double l2Term = 0;
  double weight = 0; ///< frames, times the weight of the supervision
  /// Where the minibatch could not be computed: derivatives are 0, but for that
  /// of the l2 term, and the objective is -10 for each frame.
  bool failed = false;
  /// Logarithms of the two probabilities. That of the numerator is multiplied
  /// by the weight unless the supervision is end to end.
  double numerator = 0, denominator = 0;
};

/// The objective of \p output and its derivatives by it: \p derivative with the
/// l2 term, and with the penalty of values beyond +-30 if \p penalizesRange;
/// \p crossEntropy, unless it has no data, receives the posteriors of the
/// numerator times the weight. Errors: shapes that differ, graphs that are not
/// as the supervision says.
Result<ChainObjective> computeChainObjective(
    const DenominatorGraph &denominator, const ChainSupervision &supervision,
    const ChainOptions &options, bool penalizesRange, ConstMatrixView output,
    MatrixView derivative, MatrixView crossEntropy = MatrixView());

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_CHAINOBJECTIVE_H
