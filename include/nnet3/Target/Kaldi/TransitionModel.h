//===- TransitionModel.h - The head of acoustic models ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The output of a network does not depend on the transition model of its file,
// which is read only to be written again (spec: formats.md 6.1).
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
  /// -1 for a non-emitting state. The two differ in newer topologies only.
  int32_t forwardPdfClass = -1;
  int32_t selfLoopPdfClass = -1;
  /// Destination states and probabilities.
  std::vector<std::pair<int32_t, float>> transitions;
};

/// The topology that some phones share.
struct TopologyEntry {
  /// In ascending order.
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

/// Packs a transition model, which was read from `bytes`, for the attribute of
/// a network: as the bytes of a file. Text is converted to binary, so that both
/// forms of a model give the same attribute, unless writing it as text again
/// would not give the same bytes.
std::string packTransitionModel(const TransitionModel &model,
                                llvm::StringRef bytes, bool isBinary);

/// Packs a transition model that was not read from a file.
std::string packTransitionModel(const TransitionModel &model);

/// Reads the result of `packTransitionModel`. Returns an error if `packed` is
/// not a transition model.
llvm::Error readPackedTransitionModel(llvm::StringRef packed,
                                      TransitionModel &model);

/// Writes the result of `packTransitionModel`: unchanged if the mode is the
/// same, otherwise converted. Returns an error, before writing, if `packed` is
/// not a transition model.
llvm::Error unpackTransitionModel(llvm::StringRef packed,
                                  ::nnet3::kaldi::KaldiWriter &writer);

} // namespace mlir::nnet3

#endif // NNET3_TARGET_KALDI_TRANSITIONMODEL_H
