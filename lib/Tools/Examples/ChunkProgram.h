//===- ChunkProgram.h - Examples cut out of utterances ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef LIB_TOOLS_EXAMPLES_CHUNKPROGRAM_H
#define LIB_TOOLS_EXAMPLES_CHUNKPROGRAM_H

#include "ChunkSplitter.h"
#include "nnet3/Kaldi/Examples/ChainExamples.h"
#include "nnet3/Kaldi/Tables/Tables.h"
#include "nnet3/Tools/Common/Program.h"

namespace mlir::nnet3 {

/// The command line of a program that cuts examples out of utterances.
class ChunkProgramOptions : public ProgramOptions {
public:
  /// Tables: features, supervision, examples.
  std::string features, supervision, output;
  ExampleChunkOptions chunks;
  bool compress = true;
  /// A table; empty means none.
  std::string ivectors;
  int32_t ivectorPeriod = 1;
  int32_t lengthTolerance = 100;
  /// Tolerance for the difference of the lengths of features and supervision,
  /// in output frames, and the name of its option.
  int32_t targetsLengthTolerance = 2;
  llvm::StringRef toleranceName = "targets-length-tolerance";
  int32_t seed = 0;

  void registerOptions(OptionParser &parser) override;
  llvm::Error finish(llvm::ArrayRef<std::string> positional) override;

protected:
  /// Checks the options.
  llvm::Error finishChunks() const;
};

/// An utterance to cut examples from.
struct ExampleSource {
  llvm::StringRef key;
  const ::nnet3::kaldi::GeneralMatrix &features;
  /// Null if there is no table of i-vectors.
  const ::nnet3::kaldi::GeneralMatrix *ivectors = nullptr;
};

/// The supervision of utterances.
class Supervision {
public:
  virtual ~Supervision() = default;

  /// Selects an utterance. Returns its number of output frames, or -1 if it has
  /// no supervision.
  virtual llvm::Expected<int32_t> select(const ExampleSource &source) = 0;
  /// Returns true if chunks may extend past the last frame of the supervision.
  virtual bool canReachBeyond() const = 0;
  /// Makes the example of a chunk with these inputs; none after a warning.
  virtual llvm::Expected<std::optional<::nnet3::kaldi::AnyExample>>
  makeExample(std::vector<::nnet3::kaldi::NnetIo> inputs,
              const ExampleChunk &chunk) const = 0;
};

/// Supervision with a row for each output frame.
class RowSupervision : public Supervision {
public:
  explicit RowSupervision(const ExampleChunkOptions &chunks)
      : factor(chunks.frameSubsamplingFactor) {}

  bool canReachBeyond() const override { return true; }
  llvm::Expected<std::optional<::nnet3::kaldi::AnyExample>>
  makeExample(std::vector<::nnet3::kaldi::NnetIo> inputs,
              const ExampleChunk &chunk) const override;

protected:
  /// Appends the weighted supervision of an output frame. The frame may be past
  /// the end, by at most the tolerance.
  virtual llvm::Error addRow(int32_t frame, float weight,
                             ::nnet3::kaldi::GeneralMatrix &rows) const = 0;
  /// Returns an empty matrix for addRow().
  virtual ::nnet3::kaldi::GeneralMatrix createRows() const = 0;

private:
  int32_t factor;
};

/// Appends row `frame` of `targets`, or the last row for later frames, times
/// `weight`.
void addTargets(const ::nnet3::kaldi::Matrix &targets, int32_t frame,
                float weight, ::nnet3::kaldi::Matrix &rows);

/// Writes the examples of all utterances. `program` is the name in messages.
llvm::Error makeExamples(llvm::StringRef program,
                         const ChunkProgramOptions &options,
                         Supervision &supervision);

} // namespace mlir::nnet3

#endif // LIB_TOOLS_EXAMPLES_CHUNKPROGRAM_H
