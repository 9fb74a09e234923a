//===- BeamDecoder.h - The best words for log-likelihoods -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_DECODER_BEAMDECODER_H
#define NNET3_RUNTIME_DECODER_BEAMDECODER_H

#include "nnet3/runtime/decoder/DecodingGraph.h"
#include "nnet3/runtime/decoder/TokenSet.h"

namespace nnet3 {
namespace rt {

/// Kaldi's options of decoders.
struct DecoderOptions {
  /// Paths that are worse than the best one by more are given up.
  float beam = 16;
  /// The most paths, and the fewest that the beam leaves.
  int32_t maxActive = 7000, minActive = 200;
  float acousticScale = 1;
};

/// Viterbi search through a graph, frame by frame. Keeps the best path to each
/// state, and the words of each path.
class BeamDecoder {
public:
  /// \p outputOfTransition has the output of the network for each transition-id
  /// from 1 on. Both references outlive the decoder.
  BeamDecoder(const DecodingGraph &graph,
              const std::vector<int32_t> &outputOfTransition,
              const DecoderOptions &options);

  /// Begins an utterance.
  void begin();

  /// Takes the log-likelihoods of a frame.
  void advance(const float *scores);

  /// Output labels of the best path; of those that may end here if there are
  /// any and \p isEnd.
  std::vector<int32_t> getBestWords(bool isEnd) const;

  /// The cost of that path, or infinity if there is none.
  double getBestCost(bool isEnd) const;

  /// Whether the graph has labels that are no transition-ids.
  bool sawWrongLabel() const { return wrongLabel; }

  /// Paths that were followed in the last frame.
  int64_t getNumTokens() const { return current.size(); }

private:
  /// The words of a path: its last one, and those before it.
  struct Words {
    int32_t before, word;
  };

  float computeCutoff();
  void relax(TokenSet &to, int32_t state, float cost, int32_t words,
             int32_t label);
  void followFrame(const float *scores, float cutoff);
  void followEpsilons();
  void forgetWords();
  const Token *findBest(bool isEnd, double &cost) const;

  const DecodingGraph &graph;
  const std::vector<int32_t> &outputOfTransition;
  DecoderOptions options;
  TokenSet current, next;
  /// What was taken off all costs.
  double costOffset = 0;
  float nextCutoff = 0;
  std::vector<Words> history;
  size_t forgetAt;
  std::vector<float> costs;
  std::vector<int32_t> queue;
  bool wrongLabel = false;
};

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_DECODER_BEAMDECODER_H
