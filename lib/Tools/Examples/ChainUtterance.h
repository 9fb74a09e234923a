//===- ChainUtterance.h - Chain supervision of utterances -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef LIB_TOOLS_EXAMPLES_CHAINUTTERANCE_H
#define LIB_TOOLS_EXAMPLES_CHAINUTTERANCE_H

#include "ChunkProgram.h"
#include "UnconstrainedGraph.h"

namespace mlir::nnet3 {

/// The command line of nnet3-chain-get-egs.
struct ChainGetEgsOptions : ChunkProgramOptions {
  /// The file of the normalisation graph, whose costs are added to the
  /// supervision; empty for none.
  std::string normalization;
  float normalizationScale = 1;
  /// A table; empty means none.
  std::string derivativeWeights;
  /// A transition model whose transition-ids are the labels of graphs; empty if
  /// the labels are pdfs plus 1.
  std::string transitionModel;

  ChainGetEgsOptions() {
    toleranceName = "supervision-length-tolerance";
    targetsLengthTolerance = 1;
  }
  void registerOptions(OptionParser &parser) override;
  llvm::Error finish(llvm::ArrayRef<std::string> positional) override;
};

/// Graphs of utterances, which are cut into chunks.
class ChainUtterance : public Supervision {
public:
  static llvm::Expected<std::unique_ptr<ChainUtterance>>
  open(const ChainGetEgsOptions &options);

  llvm::Expected<int32_t> select(const ExampleSource &source) override;
  bool canReachBeyond() const override { return false; }
  llvm::Expected<std::optional<::nnet3::kaldi::AnyExample>>
  makeExample(std::vector<::nnet3::kaldi::NnetIo> inputs,
              const ExampleChunk &chunk) const override;

private:
  using CompactFst = ::nnet3::kaldi::CompactFst;

  explicit ChainUtterance(const ChainGetEgsOptions &options)
      : options(options) {}

  llvm::Error readNormalization();
  llvm::Error readTransitions();
  llvm::Error checkSupervision();
  /// Returns the graph of a range of frames. Sets the pdfs of a path if the
  /// graph is not aligned to frames.
  llvm::Expected<CompactFst>
  makeGraph(int32_t first, int32_t count,
            std::optional<std::vector<int32_t>> &pathPdfs) const;
  std::vector<float> makeWeights(int32_t first,
                                 const ExampleChunk &chunk) const;
  llvm::Error fail(const llvm::Twine &message) const;

  const ChainGetEgsOptions &options;
  std::optional<CompactFst> normalization;
  std::optional<TransitionLabels> transitions;
  std::unique_ptr<
      ::nnet3::kaldi::RandomAccessTableReader<::nnet3::kaldi::ChainSupervision>>
      table;
  std::unique_ptr<::nnet3::kaldi::RandomAccessVectorReader> weightTable;

  // The current utterance and its supervision.
  std::string utterance;
  const ::nnet3::kaldi::ChainSupervision *supervision = nullptr;
  /// The frame of each state of the graph; empty for end-to-end supervision.
  std::vector<int32_t> times;
  const std::vector<float> *weights = nullptr;
};

} // namespace mlir::nnet3

#endif // LIB_TOOLS_EXAMPLES_CHAINUTTERANCE_H
