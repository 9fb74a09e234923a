//===- UnconstrainedGraph.h - Unaligned supervision -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LIB_TOOLS_EXAMPLES_UNCONSTRAINEDGRAPH_H
#define LIB_TOOLS_EXAMPLES_UNCONSTRAINEDGRAPH_H

#include "nnet3/Kaldi/Examples/CompactFst.h"
#include "nnet3/Target/Kaldi/TrainTransitions.h"

namespace mlir::nnet3 {

/// The transition-ids that label supervision graphs.
class TransitionLabels {
public:
  /// Reads the transition model in the file or pipe `path`.
  static llvm::Expected<TransitionLabels> read(llvm::StringRef path);

  /// Returns an error message if a label of `graph` is not a transition-id;
  /// otherwise an empty string.
  std::string check(const ::nnet3::kaldi::CompactFst &graph) const;
  /// Returns the transition-id of a valid label.
  const TransitionId &get(int32_t label) const { return ids[label - 1]; }
  /// Returns the self-loop pdf of a transition-state; -1 if it has none.
  int32_t getSelfLoopPdf(int32_t state) const { return selfLoopPdfs[state]; }
  int32_t getNumPdfs() const { return numPdfs; }

private:
  std::vector<TransitionId> ids;
  std::vector<int32_t> selfLoopPdfs;
  int32_t numPdfs = 0;
};

/// Removes the alignment to frames from `chunk`, a graph of transition-ids from
/// cutFrames(): the result accepts the same sequences of transition-states,
/// each for any number of frames. Labels become pdfs plus 1. Adds the costs of
/// `normalization`, if given (spec: chain.md 10).
llvm::Expected<::nnet3::kaldi::CompactFst> makeUnconstrained(
    ::nnet3::kaldi::CompactFst chunk, const TransitionLabels &labels,
    const std::optional<::nnet3::kaldi::CompactFst> &normalization);

/// Returns the pdfs of a path through `chunk`, one per frame.
std::vector<int32_t> getPathPdfs(const ::nnet3::kaldi::CompactFst &chunk,
                                 const TransitionLabels &labels);

} // namespace mlir::nnet3

#endif // LIB_TOOLS_EXAMPLES_UNCONSTRAINEDGRAPH_H
