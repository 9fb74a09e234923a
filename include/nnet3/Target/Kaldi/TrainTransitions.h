//===- TrainTransitions.h - Training of transition models -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Creates transition models, and estimates their probabilities from alignments
// (spec: nnet3bin.md 3).
//
//===----------------------------------------------------------------------===//
#ifndef NNET3_TARGET_KALDI_TRAINTRANSITIONS_H
#define NNET3_TARGET_KALDI_TRAINTRANSITIONS_H

#include "nnet3/Target/Kaldi/ContextTree.h"
#include "nnet3/Target/Kaldi/TransitionModel.h"

namespace mlir::nnet3 {

/// Creates the transition model of a tree and a topology, with the topology's
/// probabilities. Returns an error if the tree and the topology do not match.
llvm::Expected<TransitionModel>
createTransitionModel(const ContextTree &tree,
                      std::vector<TopologyEntry> topology);

/// A transition-id: one transition of a transition-state, from 1.
struct TransitionId {
  /// Number of the transition-state, from 0.
  int32_t state;
  /// Number of the transition among those of the state.
  int32_t transition;
  int32_t pdf;
  bool isSelfLoop;
};

/// Returns all transition-ids, the first one at position 0. Returns an error if
/// the model is inconsistent.
llvm::Expected<std::vector<TransitionId>>
getTransitionIds(const TransitionModel &model);

/// Options of estimating probabilities.
struct TransitionTraining {
  /// Transition-states with a lower count are not changed.
  float minCount = 5;
  /// Minimum of a probability, before renormalisation.
  float floor = 0.01f;
  /// Whether the transition-states of a pdf share their probabilities.
  bool shareForPdfs = false;
};

/// Sets the probabilities of `model` from the `counts` of the transition-ids.
void trainTransitions(TransitionModel &model, llvm::ArrayRef<TransitionId> ids,
                      llvm::ArrayRef<double> counts,
                      const TransitionTraining &training);

} // namespace mlir::nnet3

#endif // NNET3_TARGET_KALDI_TRAINTRANSITIONS_H
