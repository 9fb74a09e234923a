//===- ChunkedComputer.h - Utterances in chunks with context ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_EXECUTION_CHUNKEDCOMPUTER_H
#define NNET3_EXECUTION_CHUNKEDCOMPUTER_H

#include "nnet3/Execution/UtteranceComputer.h"

namespace mlir::nnet3 {

/// Computes each chunk by a request of its own, with the context around it.
class ChunkedComputer : public UtteranceComputer {
public:
  /// The options are checked already; of chunks only what `chunking` says
  /// counts. Fails with an error at the network if its priors do not fit.
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

  /// The instance for `numSequences` chunks of the shape of `chunk`; equal
  /// shapes share it.
  FailureOr<RequestInstance *> prepare(const Chunk &chunk,
                                       int32_t numSequences = 1);
  /// Copies the frames that `chunk` reads to the rows of `input` from `row` on.
  static void copyFrames(const Utterance &utterance, const Chunk &chunk,
                         ::nnet3::kaldi::Matrix &input, int64_t row);
  FailureOr<llvm::ArrayRef<float>> getIvector(const Utterance &utterance,
                                              const Chunk &chunk);
  /// Runs `instance` on `input`, and on `ivectors` if the network has such an
  /// input. The result is valid until its next run.
  FailureOr<::nnet3::rt::ConstMatrixView>
  run(RequestInstance &instance, const ::nnet3::kaldi::Matrix &input,
      const ::nnet3::kaldi::Matrix &ivectors);
  /// Copies the rows of `result` from `row` on that `chunk` is for.
  static void copyOutputs(::nnet3::rt::ConstMatrixView result, int64_t row,
                          const Chunk &chunk, ::nnet3::kaldi::Matrix &output);

  Chunking chunking;
  /// The chunks of the utterance that is computed.
  llvm::SmallVector<Chunk> chunks;
  /// The frames and i-vectors of a run; kept to save the allocation.
  ::nnet3::kaldi::Matrix input, ivectors;

private:
  LogicalResult addSize(int64_t numFrames);
  LogicalResult checkChunks(const Utterance &utterance);
  LogicalResult computeChunk(const Utterance &utterance, const Chunk &chunk,
                             ::nnet3::kaldi::Matrix &output);
};

/// Gives `matrix` so many rows and columns, with any values.
void resize(::nnet3::kaldi::Matrix &matrix, int64_t rows, int64_t cols);

} // namespace mlir::nnet3

#endif // NNET3_EXECUTION_CHUNKEDCOMPUTER_H
