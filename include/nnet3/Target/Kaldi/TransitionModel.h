//===- TransitionModel.h - The head of acoustic models ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A network's numbers do not depend on the transition model of its file; it is
// read to be written again (spec: formats.md 6.1).
//
//===----------------------------------------------------------------------===//
#ifndef NNET3_TARGET_KALDI_TRANSITIONMODEL_H
#define NNET3_TARGET_KALDI_TRANSITIONMODEL_H

#include "nnet3/Kaldi/IO/Reader.h"
#include "nnet3/Kaldi/IO/Writer.h"
#include "nnet3/Kaldi/Matrix/GeneralMatrix.h"
#include <array>

namespace mlir::nnet3 {

/// A state of a phone's model.
struct HmmState {
  /// -1 in states that emit nothing. The two differ in newer topologies only.
  int32_t forwardPdfClass = -1;
  int32_t selfLoopPdfClass = -1;
  /// Destination states and probabilities.
  std::vector<std::pair<int32_t, float>> transitions;
};

/// The model that some phones share.
struct TopologyEntry {
  /// In increasing order.
  std::vector<int32_t> phones;
  std::vector<HmmState> states;
};

struct TransitionModel {
  std::vector<TopologyEntry> entries;
  /// Whether transition-states have a pdf of their own for the self-loop
  /// (`<Tuples>`).
  bool hasSelfLoopPdfs = false;
  /// Phone, state, forward pdf and self-loop pdf of each transition-state.
  std::vector<std::array<int32_t, 4>> tuples;
  ::nnet3::kaldi::GeneralVector logProbs;
};

/// Reads the topology of phones, `<Topology>` to `</Topology>`, in binary or
/// text.
llvm::LogicalResult readTopology(::nnet3::kaldi::KaldiReader &reader,
                                 std::vector<TopologyEntry> &entries);

/// Reads a transition model, `<TransitionModel>` to `</TransitionModel>`, in
/// binary or text.
llvm::LogicalResult readTransitionModel(::nnet3::kaldi::KaldiReader &reader,
                                        TransitionModel &model);

void writeTransitionModel(::nnet3::kaldi::KaldiWriter &writer,
                          const TransitionModel &model);

/// The transition model in `data`, whose own bytes are `bytes`, as it is kept
/// with a network: a file of its own. A text that its values give again is kept
/// in binary, so that the two forms of a model are one; any other is kept as it
/// is.
std::string packTransitionModel(const TransitionModel &model,
                                llvm::StringRef bytes, bool isBinary);

/// A transition model that was not read, in that form.
std::string packTransitionModel(const TransitionModel &model);

/// Reads what `packTransitionModel` gave. The error tells why `packed` is no
/// transition model.
llvm::Error readPackedTransitionModel(llvm::StringRef packed,
                                      TransitionModel &model);

/// Writes what `packTransitionModel` gave: as it was read where the mode is the
/// same, otherwise converted. The error tells why `packed` is no transition
/// model; nothing is written then.
llvm::Error unpackTransitionModel(llvm::StringRef packed,
                                  ::nnet3::kaldi::KaldiWriter &writer);

} // namespace mlir::nnet3

#endif // NNET3_TARGET_KALDI_TRANSITIONMODEL_H
