//===- ChunkProgram.h - Examples cut out of utterances ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef LIB_TOOLS_EXAMPLES_CHUNKPROGRAM_H
#define LIB_TOOLS_EXAMPLES_CHUNKPROGRAM_H

#include "ChunkSplitter.h"
#include "nnet3/Kaldi/Examples/ChainExamples.h"
#include "nnet3/Kaldi/Tables/Tables.h"
#include "nnet3/Tools/Program.h"

namespace mlir::nnet3 {

/// The command line of a program that cuts examples out of utterances.
class ChunkProgramOptions : public ProgramOptions {
public:
  /// Tables: features, supervision, examples.
  std::string features, supervision, output;
  ExampleChunkOptions chunks;
  bool compress = true;
  /// A table; empty for none.
  std::string ivectors;
  int32_t ivectorPeriod = 1;
  int32_t lengthTolerance = 100;
  /// Frames of output by which features and supervision may differ in length,
  /// and the option that says so.
  int32_t targetsLengthTolerance = 2;
  llvm::StringRef toleranceName = "targets-length-tolerance";
  int32_t seed = 0;

  void registerOptions(OptionParser &parser) override;
  llvm::Error finish(llvm::ArrayRef<std::string> positional) override;

protected:
  /// Checks the options themselves.
  llvm::Error finishChunks() const;
};

/// What examples are cut out of.
struct ExampleSource {
  llvm::StringRef key;
  const ::nnet3::kaldi::GeneralMatrix &features;
  /// Null without a table of them.
  const ::nnet3::kaldi::GeneralMatrix *ivectors = nullptr;
};

/// The supervision of utterances.
class Supervision {
public:
  virtual ~Supervision() = default;

  /// Goes to an utterance; its number of frames of output, or -1 where there is
  /// no supervision.
  virtual llvm::Expected<int32_t> select(const ExampleSource &source) = 0;
  /// Whether chunks may reach beyond the last frame of the supervision.
  virtual bool canReachBeyond() const = 0;
  /// The example of a chunk with these inputs; none after a warning.
  virtual llvm::Expected<std::optional<::nnet3::kaldi::AnyExample>>
  makeExample(std::vector<::nnet3::kaldi::NnetIo> inputs,
              const ExampleChunk &chunk) const = 0;
};

/// Supervision that has a row for each frame of output.
class RowSupervision : public Supervision {
public:
  explicit RowSupervision(const ExampleChunkOptions &chunks)
      : factor(chunks.frameSubsamplingFactor) {}

  bool canReachBeyond() const override { return true; }
  llvm::Expected<std::optional<::nnet3::kaldi::AnyExample>>
  makeExample(std::vector<::nnet3::kaldi::NnetIo> inputs,
              const ExampleChunk &chunk) const override;

protected:
  /// The supervision of a frame of output, which is beyond the end where
  /// lengths differ by what is tolerated; weighted.
  virtual llvm::Error addRow(int32_t frame, float weight,
                             ::nnet3::kaldi::GeneralMatrix &rows) const = 0;
  /// A matrix to add to.
  virtual ::nnet3::kaldi::GeneralMatrix createRows() const = 0;

private:
  int32_t factor;
};

/// Adds row `frame` of `targets`, or the last one where it is beyond the end,
/// times `weight`.
void addTargets(const ::nnet3::kaldi::Matrix &targets, int32_t frame,
                float weight, ::nnet3::kaldi::Matrix &rows);

/// Writes the examples of all utterances. `program` is the name in messages.
llvm::Error makeExamples(llvm::StringRef program,
                         const ChunkProgramOptions &options,
                         Supervision &supervision);

} // namespace mlir::nnet3

#endif // LIB_TOOLS_EXAMPLES_CHUNKPROGRAM_H
