//===- StreamedComputer.h - Utterances as streams ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_EXECUTION_STREAMEDCOMPUTER_H
#define NNET3_EXECUTION_STREAMEDCOMPUTER_H

#include "nnet3/Execution/ChunkStream.h"
#include "nnet3/Execution/UtteranceComputer.h"

namespace mlir::nnet3 {

/// Computes utterances as streams (spec: looped.md 4.6): one chunk after the
/// other, each from its own frames and the state that the one before has left.
/// Frames before the utterance and behind it stand for its first or last one,
/// and all i-vectors of a chunk are the latest that there is by then.
class StreamedComputer : public UtteranceComputer {
public:
  /// `stream` computes the network of `runner`. Fails with an error at the
  /// network if its priors do not fit.
  static FailureOr<std::unique_ptr<StreamedComputer>>
  create(RequestRunner &runner, std::unique_ptr<ChunkStream> stream,
         const ComputeOptions &options);

  int64_t getFrameSubsamplingFactor() const {
    return stream->getFrameSubsamplingFactor();
  }

  /// Begins an utterance that `advance` computes.
  void begin();
  /// How many frames of an utterance the next chunk reads; all of them in the
  /// end.
  int64_t getNumFramesRead(const Utterance &utterance, bool isWhole) const;
  /// The next rows of the output of an utterance that still grows, as far as
  /// `utterance` holds the frames of one chunk, or none. If `isWhole`, no
  /// frames follow. `compute` gives the same rows.
  FailureOr<::nnet3::kaldi::Matrix> advance(const Utterance &utterance,
                                            bool isWhole);

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

  std::unique_ptr<ChunkStream> stream;
  int64_t start = 0; ///< frames of the utterance that have been computed
};

} // namespace mlir::nnet3

#endif // NNET3_EXECUTION_STREAMEDCOMPUTER_H
