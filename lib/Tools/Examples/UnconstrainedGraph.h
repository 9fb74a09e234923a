//===- UnconstrainedGraph.h - Supervision without frames --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LIB_TOOLS_EXAMPLES_UNCONSTRAINEDGRAPH_H
#define LIB_TOOLS_EXAMPLES_UNCONSTRAINEDGRAPH_H

#include "nnet3/Kaldi/Examples/CompactFst.h"
#include "nnet3/Target/Kaldi/TrainTransitions.h"

namespace mlir::nnet3 {

/// The transition-ids that are the labels of supervision.
class TransitionLabels {
public:
  /// Reads the transition model in the file or pipe `path`.
  static llvm::Expected<TransitionLabels> read(llvm::StringRef path);

  /// Returns an error message if a label of `graph` is no transition-id, or
  /// else an empty string.
  std::string check(const ::nnet3::kaldi::CompactFst &graph) const;
  /// Of a label of a graph without errors.
  const TransitionId &get(int32_t label) const { return ids[label - 1]; }
  /// The pdf of the self-loop of a transition-state, -1 if it has none.
  int32_t getSelfLoopPdf(int32_t state) const { return selfLoopPdfs[state]; }
  int32_t getNumPdfs() const { return numPdfs; }

private:
  std::vector<TransitionId> ids;
  std::vector<int32_t> selfLoopPdfs;
  int32_t numPdfs = 0;
};

/// Returns a graph that accepts the orders of transition-states that `chunk`
/// accepts, a graph of transition-ids as cutFrames() gives it. Each
/// transition-state may last any number of frames. Labels become pdfs plus 1.
/// The graph has the costs of `normalization`, if there is one (spec: chain.md
/// 10).
llvm::Expected<::nnet3::kaldi::CompactFst> makeUnconstrained(
    ::nnet3::kaldi::CompactFst chunk, const TransitionLabels &labels,
    const std::optional<::nnet3::kaldi::CompactFst> &normalization);

/// The pdfs of one path through `chunk`, one for each frame.
std::vector<int32_t> getPathPdfs(const ::nnet3::kaldi::CompactFst &chunk,
                                 const TransitionLabels &labels);

} // namespace mlir::nnet3

#endif // LIB_TOOLS_EXAMPLES_UNCONSTRAINEDGRAPH_H
