//===- TrainTransitions.h - Transition models, made and trained -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// New transition models, and probabilities from alignments (spec: nnet3bin.md
// 3).
//
//===----------------------------------------------------------------------===//
#ifndef NNET3_TARGET_KALDI_TRAINTRANSITIONS_H
#define NNET3_TARGET_KALDI_TRAINTRANSITIONS_H

#include "nnet3/Target/Kaldi/ContextTree.h"
#include "nnet3/Target/Kaldi/TransitionModel.h"

namespace mlir::nnet3 {

/// The transition model of a tree and a topology, with the topology's
/// probabilities. The error tells what of them does not fit.
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

/// All transition-ids, the first one at 0. The error tells what of the model
/// does not fit.
llvm::Expected<std::vector<TransitionId>>
getTransitionIds(const TransitionModel &model);

/// How probabilities are estimated.
struct TransitionTraining {
  /// A transition-state that is seen less often stays as it is.
  float minCount = 5;
  /// No probability is less, before they are divided by their sum again.
  float floor = 0.01f;
  /// Whether the transition-states of a pdf have the same probabilities.
  bool shareForPdfs = false;
};

/// Sets the probabilities of `model` by how often each transition-id is seen;
/// `counts` has one number for each.
void trainTransitions(TransitionModel &model, llvm::ArrayRef<TransitionId> ids,
                      llvm::ArrayRef<double> counts,
                      const TransitionTraining &training);

} // namespace mlir::nnet3

#endif // NNET3_TARGET_KALDI_TRAINTRANSITIONS_H
