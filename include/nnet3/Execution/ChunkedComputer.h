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

private:
  ChunkedComputer(RequestRunner &runner, const Chunking &chunking,
                  const ComputeOptions &options)
      : UtteranceComputer(runner, options), chunking(chunking) {}

  LogicalResult addSize(int64_t numFrames);
  LogicalResult checkChunks(const Utterance &utterance);
  LogicalResult computeChunk(const Utterance &utterance, const Chunk &chunk,
                             ::nnet3::kaldi::Matrix &output);
  FailureOr<RequestInstance *> prepare(const Chunk &chunk);
  FailureOr<llvm::ArrayRef<float>> getIvector(const Utterance &utterance,
                                              const Chunk &chunk);

  Chunking chunking;
  /// The chunks of the utterance that is computed.
  llvm::SmallVector<Chunk> chunks;
  /// The chunk's input; kept to save the allocation.
  ::nnet3::kaldi::Matrix input;
};

} // namespace mlir::nnet3

#endif // NNET3_EXECUTION_CHUNKEDCOMPUTER_H
