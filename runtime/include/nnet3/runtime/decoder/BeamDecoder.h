//===- BeamDecoder.h - Viterbi beam search ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_DECODER_BEAMDECODER_H
#define NNET3_RUNTIME_DECODER_BEAMDECODER_H

#include "nnet3/runtime/decoder/DecodingGraph.h"
#include "nnet3/runtime/decoder/TokenSet.h"

namespace nnet3 {
namespace rt {

/// The options of Kaldi's decoders.
struct DecoderOptions {
  /// Tokens whose cost exceeds the best one by more than this are pruned.
  float beam = 16;
  /// Largest number of tokens, and the number below which the beam does not
  /// prune.
  int32_t maxActive = 7000, minActive = 200;
  float acousticScale = 1;
};

/// Frame-synchronous Viterbi search. Keeps the best path to each state, and the
/// words of each path.
class BeamDecoder {
public:
  /// \p outputOfTransition has the network output (pdf) of each transition-id,
  /// from 1 on. Both references outlive the decoder.
  BeamDecoder(const DecodingGraph &graph,
              const std::vector<int32_t> &outputOfTransition,
              const DecoderOptions &options);

  /// Starts an utterance.
  void begin();

  /// Processes one frame with the log-likelihoods \p scores.
  void advance(const float *scores);

  /// Returns the output labels of the best path. If \p isEnd, paths in final
  /// states, with their final cost, are preferred if there are any.
  std::vector<int32_t> getBestWords(bool isEnd) const;

  /// Returns the cost of this path, or infinity if there is no path.
  double getBestCost(bool isEnd) const;

  /// Whether the search has met an input label that is not a transition-id.
  bool sawWrongLabel() const { return wrongLabel; }

  /// Number of tokens after the last frame.
  int64_t getNumTokens() const { return current.size(); }

private:
  /// The words of a path as a linked list in `history`: the last word, and the
  /// index of the entry before it.
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
  /// The total that was subtracted from all costs.
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
