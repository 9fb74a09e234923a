//===- TrainTransitions.cpp - Transition probabilities from counts --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Target/Kaldi/TrainTransitions.h"
#include "nnet3/Kaldi/IO/KaldiError.h"

#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <map>
#include <numeric>

using namespace ::nnet3::kaldi;
using namespace mlir::nnet3;
using llvm::Expected;
using llvm::Twine;

Expected<std::vector<TransitionId>>
mlir::nnet3::getTransitionIds(const TransitionModel &model) {
  std::map<int32_t, const TopologyEntry *> entries;
  for (const TopologyEntry &entry : model.entries)
    for (int32_t phone : entry.phones)
      entries[phone] = &entry;
  std::vector<TransitionId> ids;
  for (auto [number, tuple] : llvm::enumerate(model.tuples)) {
    const auto &[phone, state, forward, selfLoop] = tuple;
    auto found = entries.find(phone);
    const TopologyEntry *entry =
        found == entries.end() ? nullptr : found->second;
    if (!entry || state < 0 || size_t(state) >= entry->states.size())
      return makeFileError("", "the topology has no state " + Twine(state) +
                                   " of phone " + Twine(phone));
    if (forward < 0 || selfLoop < 0)
      return makeFileError("", "expects pdfs of at least 0");
    const HmmState &hmmState = entry->states[state];
    for (auto [transition, to] : llvm::enumerate(hmmState.transitions)) {
      const bool isSelfLoop = to.first == state;
      ids.push_back({int32_t(number), int32_t(transition),
                     isSelfLoop ? selfLoop : forward, isSelfLoop});
    }
  }
  return ids;
}

/// Divides the values by their sum.
static void normalize(llvm::MutableArrayRef<double> values) {
  const double sum = std::accumulate(values.begin(), values.end(), 0.0);
  for (double &value : values)
    value /= sum;
}

/// Estimates the transition probabilities of one state from counts.
static std::vector<double> estimate(llvm::ArrayRef<double> counts,
                                    double floor) {
  // Alternates between flooring and normalising, which converges quickly.
  constexpr int rounds = 3;
  std::vector<double> probabilities = counts.vec();
  normalize(probabilities);
  for (int i = 0; i < rounds; ++i) {
    normalize(probabilities);
    for (double &probability : probabilities)
      probability = std::max(probability, floor);
  }
  return probabilities;
}

/// Returns the groups of transition-states that share probabilities: each one
/// alone, or all with the same pdf. If its self-loop has another pdf, a
/// transition-state belongs to two groups.
static std::vector<std::vector<int32_t>> getGroups(const TransitionModel &model,
                                                   bool shareForPdfs) {
  std::map<int32_t, std::vector<int32_t>> groups;
  for (auto [number, tuple] : llvm::enumerate(model.tuples)) {
    const auto &[phone, state, forward, selfLoop] = tuple;
    groups[shareForPdfs ? forward : int32_t(number)].push_back(number);
    if (shareForPdfs && selfLoop != forward)
      groups[selfLoop].push_back(number);
  }
  std::vector<std::vector<int32_t>> result;
  for (auto &[key, group] : groups)
    result.push_back(std::move(group));
  return result;
}

void mlir::nnet3::trainTransitions(TransitionModel &model,
                                   llvm::ArrayRef<TransitionId> ids,
                                   llvm::ArrayRef<double> counts,
                                   const TransitionTraining &training) {
  std::vector<float> logProbs = std::visit(
      [](const auto &values) {
        return std::vector<float>(values.begin(), values.end());
      },
      model.logProbs);
  logProbs.resize(ids.size() + 1);
  std::vector<std::vector<int32_t>> idsOfState(model.tuples.size());
  for (auto [number, id] : llvm::enumerate(ids))
    idsOfState[id.state].push_back(number);
  for (const auto &group : getGroups(model, training.shareForPdfs)) {
    std::vector<double> sums;
    for (int32_t state : group) {
      sums.resize(std::max(sums.size(), idsOfState[state].size()));
      for (int32_t id : idsOfState[state])
        sums[ids[id].transition] += counts[id];
    }
    const double sum = std::accumulate(sums.begin(), sums.end(), 0.0);
    if (sums.size() <= 1 || sum < training.minCount || sum == 0)
      continue;
    std::vector<double> probabilities = estimate(sums, training.floor);
    for (int32_t state : group)
      for (int32_t id : idsOfState[state])
        logProbs[id + 1] = std::log(probabilities[ids[id].transition]);
  }
  model.logProbs = std::move(logProbs);
}
