//===- ChunkedComputer.h - Utterances in chunks with context ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_EXECUTION_CHUNKEDCOMPUTER_H
#define NNET3_EXECUTION_CHUNKEDCOMPUTER_H

#include "nnet3/Execution/UtteranceComputer.h"

namespace mlir::nnet3 {

/// Computes each chunk with a request of its own, including its context.
class ChunkedComputer : public UtteranceComputer {
public:
  /// The options must be valid; `chunking` replaces `options.chunks`. Emits an
  /// error at the network if the dim of its priors is wrong.
  static FailureOr<std::unique_ptr<UtteranceComputer>>
  create(RequestRunner &runner, const Chunking &chunking,
         const ComputeOptions &options);

protected:
  FailureOr<int64_t> countRows(const Utterance &utterance) override;
  LogicalResult computeRows(const Utterance &utterance,
                            ::nnet3::kaldi::Matrix &output) override;

  ChunkedComputer(RequestRunner &runner, const Chunking &chunking,
                  const ComputeOptions &options)
      : UtteranceComputer(runner, options), chunking(chunking) {}

  /// Returns the instance for `numSequences` chunks of the shape of `chunk`.
  /// Chunks of equal shape share an instance.
  FailureOr<RequestInstance *> prepare(const Chunk &chunk,
                                       int32_t numSequences = 1);
  /// Copies the input frames of `chunk` to the rows of `input` from `row` on.
  static void copyFrames(const Utterance &utterance, const Chunk &chunk,
                         ::nnet3::kaldi::Matrix &input, int64_t row);
  FailureOr<llvm::ArrayRef<float>> getIvector(const Utterance &utterance,
                                              const Chunk &chunk);
  /// Runs `instance` on `input`, and on `ivectors` if the network has an
  /// i-vector input. The result is valid until the next run of `instance`.
  FailureOr<::nnet3::rt::ConstMatrixView>
  run(RequestInstance &instance, const ::nnet3::kaldi::Matrix &input,
      const ::nnet3::kaldi::Matrix &ivectors);
  /// Copies the used outputs of `chunk`, which begin at `row` of `result`, to
  /// `output`.
  static void copyOutputs(::nnet3::rt::ConstMatrixView result, int64_t row,
                          const Chunk &chunk, ::nnet3::kaldi::Matrix &output);

  Chunking chunking;
  /// The chunks of the current utterance.
  llvm::SmallVector<Chunk> chunks;
  /// The frames and i-vectors of a run; kept to save the allocation.
  ::nnet3::kaldi::Matrix input, ivectors;

private:
  LogicalResult addSize(int64_t numFrames);
  LogicalResult checkChunks(const Utterance &utterance);
  LogicalResult computeChunk(const Utterance &utterance, const Chunk &chunk,
                             ::nnet3::kaldi::Matrix &output);
};

/// Resizes `matrix`; the values are unspecified.
void resize(::nnet3::kaldi::Matrix &matrix, int64_t rows, int64_t cols);

} // namespace mlir::nnet3

#endif // NNET3_EXECUTION_CHUNKEDCOMPUTER_H
