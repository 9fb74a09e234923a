//===- CreateTransitionModel.cpp - Transition models from trees -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Kaldi/IO/KaldiError.h"
#include "nnet3/Target/Kaldi/TrainTransitions.h"

#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <set>

using namespace ::nnet3::kaldi;
using namespace mlir::nnet3;
using llvm::Error;
using llvm::Expected;
using llvm::Twine;

using Tuple = std::array<int32_t, 4>;

static bool hasTwoPdfs(const HmmState &state) {
  return state.forwardPdfClass != state.selfLoopPdfClass;
}

namespace {
/// Finds the transition-states of one tree.
class TupleFinder {
public:
  TupleFinder(const ContextTree &tree, llvm::ArrayRef<TopologyEntry> topology);

  /// Adds the transition-states of an HMM state; fails if the tree has none.
  Error add(int32_t phone, int32_t number, const HmmState &state,
            std::vector<Tuple> &tuples);

private:
  const ContextTree &tree;
  /// The phones that may be in the context, and 0 for none.
  std::vector<int32_t> neighbours = {0};
};
} // namespace

TupleFinder::TupleFinder(const ContextTree &tree,
                         llvm::ArrayRef<TopologyEntry> topology)
    : tree(tree) {
  for (const TopologyEntry &entry : topology)
    llvm::append_range(neighbours, entry.phones);
  llvm::sort(neighbours);
}

Error TupleFinder::add(int32_t phone, int32_t number, const HmmState &state,
                       std::vector<Tuple> &tuples) {
  ContextTree::Values values;
  for (int32_t position = 0; position < tree.width; ++position)
    values[position] = neighbours;
  values[tree.central] = {phone};
  values[ContextTree::kPdfClass] = {state.forwardPdfClass};
  std::set<Tuple> found;
  tree.forEachLeaf(
      values, [&](int32_t forward, const ContextTree::Values &here) {
        if (!hasTwoPdfs(state)) {
          found.insert({phone, number, forward, forward});
          return;
        }
        // The self-loop pdf must come from the same contexts.
        ContextTree::Values others = here;
        others[ContextTree::kPdfClass] = {state.selfLoopPdfClass};
        tree.forEachLeaf(others, [&](int32_t selfLoop, const auto &) {
          found.insert({phone, number, forward, selfLoop});
        });
      });
  if (found.empty())
    return makeFileError("", "the tree has no pdf for state " + Twine(number) +
                                 " of phone " + Twine(phone));
  llvm::append_range(tuples, found);
  return Error::success();
}

/// Checks that the topology can be written and trained.
static Error checkTopology(llvm::ArrayRef<TopologyEntry> topology) {
  for (const TopologyEntry &entry : topology)
    for (const HmmState &state : entry.states)
      for (auto [destination, probability] : state.transitions) {
        if (destination < 0 || size_t(destination) >= entry.states.size())
          return makeFileError("", "expects transitions to states below " +
                                       Twine(entry.states.size()) +
                                       ", but got " + Twine(destination));
        if (!(probability > 0))
          return makeFileError("", "expects probabilities of transitions "
                                   "above 0");
      }
  return Error::success();
}

Expected<TransitionModel>
mlir::nnet3::createTransitionModel(const ContextTree &tree,
                                   std::vector<TopologyEntry> topology) {
  if (Error error = checkTopology(topology))
    return error;
  TransitionModel model;
  TupleFinder finder(tree, topology);
  for (const TopologyEntry &entry : topology) {
    model.hasSelfLoopPdfs |= llvm::any_of(entry.states, hasTwoPdfs);
    for (int32_t phone : entry.phones)
      for (auto [number, state] : llvm::enumerate(entry.states))
        if (state.forwardPdfClass >= 0)
          if (Error error = finder.add(phone, number, state, model.tuples))
            return error;
  }
  llvm::sort(model.tuples);
  model.entries = std::move(topology);
  auto ids = getTransitionIds(model);
  if (!ids)
    return ids.takeError();
  // Transition-ids begin at 1.
  std::vector<float> logProbs = {0};
  std::map<int32_t, const TopologyEntry *> entries;
  for (const TopologyEntry &entry : model.entries)
    for (int32_t phone : entry.phones)
      entries[phone] = &entry;
  for (const TransitionId &id : *ids) {
    const auto &[phone, state, forward, selfLoop] = model.tuples[id.state];
    logProbs.push_back(std::log(
        entries[phone]->states[state].transitions[id.transition].second));
  }
  model.logProbs = std::move(logProbs);
  return model;
}
