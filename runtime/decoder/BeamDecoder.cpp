//===- BeamDecoder.cpp - Viterbi beam search ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/runtime/decoder/BeamDecoder.h"

#include <fst/fst.h>

#include <cmath>
#include <limits>

using namespace nnet3::rt;

using ArcIterator = fst::ArcIterator<StdGraph>;

static constexpr float kInfinity = std::numeric_limits<float>::infinity();
/// Size of `history` from which unused words are removed.
static constexpr size_t kMostWords = 1 << 20;
/// Limit of epsilon transitions per frame, for graphs with epsilon cycles of
/// negative cost.
static constexpr int64_t kMostEpsilons = 1'000'000;

BeamDecoder::BeamDecoder(const DecodingGraph &graph,
                         const std::vector<int32_t> &outputOfTransition,
                         const DecoderOptions &options)
    : graph(graph), outputOfTransition(outputOfTransition), options(options) {
  begin();
}

void BeamDecoder::begin() {
  current.clear();
  history.clear();
  forgetAt = kMostWords;
  costOffset = 0;
  nextCutoff = options.beam;
  relax(current, graph.get().Start(), 0, -1, 0);
  followEpsilons();
}

/// Replaces the token of a state if the new path is better.
void BeamDecoder::relax(TokenSet &to, int32_t state, float cost, int32_t words,
                        int32_t label) {
  const auto [index, isNew] = to.add(state);
  Token &token = to[index];
  if (!isNew && token.cost <= cost)
    return;
  token.cost = cost;
  token.words = words;
  if (label != 0) {
    token.words = static_cast<int32_t>(history.size());
    history.push_back({words, label});
  }
  if (&to == &current)
    queue.push_back(index);
}

/// Normalises costs to a minimum of 0. Returns the pruning threshold.
float BeamDecoder::computeCutoff() {
  costs.clear();
  for (const Token &token : current)
    costs.push_back(token.cost);
  if (costs.empty())
    return 0;
  const float least = *std::min_element(costs.begin(), costs.end());
  for (Token &token : current)
    token.cost -= least;
  for (float &cost : costs)
    cost -= least;
  costOffset += least;
  const auto findRank = [&](int32_t rank) {
    std::nth_element(costs.begin(), costs.begin() + rank, costs.end());
    return costs[rank];
  };
  const auto count = static_cast<int64_t>(costs.size());
  if (count > options.maxActive) {
    const float most = findRank(options.maxActive);
    if (most < options.beam)
      return most;
  }
  if (count > options.minActive)
    return std::max(options.beam, findRank(options.minActive));
  return kInfinity;
}

void BeamDecoder::followFrame(const float *scores, float cutoff) {
  nextCutoff = kInfinity;
  for (const Token &token : current) {
    if (token.cost > cutoff)
      continue;
    for (ArcIterator arcs(graph.get(), token.state); !arcs.Done();
         arcs.Next()) {
      const auto &arc = arcs.Value();
      if (graph.isEpsilon(arc.ilabel))
        continue;
      if (static_cast<size_t>(arc.ilabel) >= outputOfTransition.size()) {
        wrongLabel = true;
        continue;
      }
      const float cost =
          token.cost + arc.weight.Value() -
          options.acousticScale * scores[outputOfTransition[arc.ilabel]];
      if (!(cost <= nextCutoff))
        continue;
      nextCutoff = std::min(nextCutoff, cost + options.beam);
      relax(next, arc.nextstate, cost, token.words, arc.olabel);
    }
  }
}

/// Follows epsilon transitions from the states of `current`.
void BeamDecoder::followEpsilons() {
  for (int64_t count = 0; !queue.empty() && count < kMostEpsilons; ++count) {
    const Token token = current[queue.back()];
    queue.pop_back();
    if (token.cost > nextCutoff)
      continue;
    for (ArcIterator arcs(graph.get(), token.state); !arcs.Done();
         arcs.Next()) {
      const auto &arc = arcs.Value();
      const float cost = token.cost + arc.weight.Value();
      if (graph.isEpsilon(arc.ilabel) && cost <= nextCutoff)
        relax(current, arc.nextstate, cost, token.words, arc.olabel);
    }
  }
  queue.clear();
}

/// Removes words that no token refers to from `history`.
void BeamDecoder::forgetWords() {
  std::vector<int32_t> newIndex(history.size(), -1);
  for (const Token &token : current)
    for (int32_t at = token.words; at >= 0 && newIndex[at] < 0;
         at = history[at].before)
      newIndex[at] = 0;
  size_t count = 0;
  for (size_t i = 0; i < history.size(); ++i) {
    if (newIndex[i] < 0)
      continue;
    // Earlier words have lower indices.
    const int32_t before = history[i].before;
    newIndex[i] = static_cast<int32_t>(count);
    history[count++] = {before < 0 ? -1 : newIndex[before], history[i].word};
  }
  history.resize(count);
  for (Token &token : current)
    if (token.words >= 0)
      token.words = newIndex[token.words];
  forgetAt = std::max(kMostWords, 2 * count);
}

void BeamDecoder::advance(const float *scores) {
  const float cutoff = computeCutoff();
  next.clear();
  followFrame(scores, cutoff);
  std::swap(current, next);
  for (int64_t i = 0; i < current.size(); ++i)
    queue.push_back(static_cast<int32_t>(i));
  followEpsilons();
  if (history.size() > forgetAt)
    forgetWords();
}

const Token *BeamDecoder::findBest(bool isEnd, double &cost) const {
  const Token *best = nullptr;
  cost = kInfinity;
  const auto look = [&](bool addsFinal) {
    for (const Token &token : current) {
      const float final =
          addsFinal ? graph.get().Final(token.state).Value() : 0;
      if (token.cost + final < cost) {
        best = &token;
        cost = token.cost + final;
      }
    }
  };
  look(isEnd);
  if (!best && isEnd)
    look(false);
  cost += costOffset;
  return best;
}

double BeamDecoder::getBestCost(bool isEnd) const {
  double cost;
  findBest(isEnd, cost);
  return cost;
}

std::vector<int32_t> BeamDecoder::getBestWords(bool isEnd) const {
  double cost;
  const Token *best = findBest(isEnd, cost);
  std::vector<int32_t> words;
  for (int32_t at = best ? best->words : -1; at >= 0; at = history[at].before)
    words.push_back(history[at].word);
  std::reverse(words.begin(), words.end());
  return words;
}
