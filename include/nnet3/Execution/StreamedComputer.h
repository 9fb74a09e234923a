//===- StreamedComputer.h - Utterances as streams ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_EXECUTION_STREAMEDCOMPUTER_H
#define NNET3_EXECUTION_STREAMEDCOMPUTER_H

#include "nnet3/Execution/ChunkStream.h"
#include "nnet3/Execution/UtteranceComputer.h"

namespace mlir::nnet3 {

/// Computes utterances as streams (spec: looped.md 4.6): one chunk after the
/// other, each from its own frames and the state after the previous chunk.
/// Frames before and after the utterance are copies of its first and last
/// frame. All i-vectors of a chunk are the latest one available at that time.
class StreamedComputer : public UtteranceComputer {
public:
  /// `stream` computes the network of `runner`. Emits an error at the network
  /// if the dim of its priors is wrong.
  static FailureOr<std::unique_ptr<StreamedComputer>>
  create(RequestRunner &runner, std::unique_ptr<ChunkStream> stream,
         const ComputeOptions &options);

  int64_t getFrameSubsamplingFactor() const {
    return stream->getFrameSubsamplingFactor();
  }

  /// Starts an utterance that `advance` computes.
  void begin();
  /// Number of frames, from the first one, that the next chunk of the utterance
  /// reads; all frames at the end.
  int64_t getNumFramesRead(const Utterance &utterance, bool isWhole) const;
  /// Computes the next chunk of a growing utterance and returns its output
  /// rows; no rows if `utterance` does not have all frames of the chunk yet.
  /// With `isWhole`, no more frames follow. All rows equal those of `compute`.
  FailureOr<::nnet3::kaldi::Matrix> advance(const Utterance &utterance,
                                            bool isWhole);
  /// Removes the first frames of the growing utterance, which later chunks do
  /// not read, from its features, and returns their number. `advance` accepts
  /// the rest. Needs no more memory than a chunk and its context, for endless
  /// utterances.
  int64_t dropFrames(::nnet3::kaldi::Matrix &features);

protected:
  FailureOr<int64_t> countRows(const Utterance &utterance) override;
  LogicalResult computeRows(const Utterance &utterance,
                            ::nnet3::kaldi::Matrix &output) override;

private:
  StreamedComputer(RequestRunner &runner, std::unique_ptr<ChunkStream> stream,
                   const ComputeOptions &options)
      : UtteranceComputer(runner, options), stream(std::move(stream)) {}

  FailureOr<::nnet3::kaldi::Matrix> computeNext(const Utterance &utterance,
                                                bool isWhole);
  FailureOr<::nnet3::kaldi::Matrix> computeChunk(const Utterance &utterance,
                                                 int64_t numFrames);
  llvm::ArrayRef<float> getIvector(const Utterance &utterance,
                                   int64_t numFrames) const;
  /// Returns the number of frames so far, with those that were dropped.
  int64_t countFrames(const Utterance &utterance) const {
    return dropped + utterance.features->rows;
  }

  std::unique_ptr<ChunkStream> stream;
  int64_t start = 0;   ///< frames of the utterance that have been computed
  int64_t dropped = 0; ///< frames that the features no longer have
};

} // namespace mlir::nnet3

#endif // NNET3_EXECUTION_STREAMEDCOMPUTER_H
