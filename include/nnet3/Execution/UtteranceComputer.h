//===- UtteranceComputer.h - The network over an utterance ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_EXECUTION_UTTERANCECOMPUTER_H
#define NNET3_EXECUTION_UTTERANCECOMPUTER_H

#include "nnet3/Execution/ChunkPlan.h"
#include "nnet3/Execution/RequestRunner.h"
#include "nnet3/Kaldi/Matrix/Matrix.h"

namespace mlir::nnet3 {

/// What becomes of utterances; the options of nnet3-compute.
struct ComputeOptions {
  ChunkOptions chunks;
  /// Frames per row of the online i-vectors.
  int32_t onlineIvectorPeriod = 0;
  /// Subtract the logarithm of the network's priors from the output.
  bool usePriors = false;
  /// The output, minus priors, is multiplied by this.
  float acousticScale = 1;
  /// Exponentiate the result.
  bool applyExp = false;
};

/// Features of an utterance, and its i-vectors of either kind, or none.
struct Utterance {
  llvm::StringRef key;
  /// One row per frame, at least one.
  const ::nnet3::kaldi::Matrix *features = nullptr;
  /// One i-vector for all of it.
  const std::vector<float> *ivector = nullptr;
  /// One row for every so many frames.
  const ::nnet3::kaldi::Matrix *onlineIvectors = nullptr;
};

/// Runs a network with one input, or an `ivector` besides, over utterances in
/// chunks. The network must not change while the computer lives.
class UtteranceComputer {
public:
  /// The options are checked already; of chunks only what `chunking` says
  /// counts. Fails with an error at the network if its priors do not fit.
  static FailureOr<UtteranceComputer> create(RequestRunner &runner,
                                             const Chunking &chunking,
                                             const ComputeOptions &options);

  /// The output, one row for each `frameSubsamplingFactor` frames. Fails with
  /// an error that names the utterance, if its dims do not fit the network.
  FailureOr<::nnet3::kaldi::Matrix> compute(const Utterance &utterance);

  const RequestRunner &getRunner() const { return *runner; }

private:
  UtteranceComputer(RequestRunner &runner, const Chunking &chunking,
                    const ComputeOptions &options)
      : runner(&runner), chunking(chunking), options(options) {}

  LogicalResult checkDims(const Utterance &utterance);
  LogicalResult addSize(int64_t numFrames);
  LogicalResult checkChunks(const Utterance &utterance,
                            llvm::ArrayRef<Chunk> chunks);
  LogicalResult computeChunk(const Utterance &utterance, const Chunk &chunk,
                             ::nnet3::kaldi::Matrix &output);
  FailureOr<RequestInstance *> prepare(const Chunk &chunk);
  FailureOr<llvm::ArrayRef<float>> getIvector(const Utterance &utterance,
                                              const Chunk &chunk);
  InFlightDiagnostic emitError();
  void finishRow(llvm::MutableArrayRef<float> row);

  RequestRunner *runner;
  Chunking chunking;
  ComputeOptions options;
  int64_t inputDim = 0, ivectorDim = 0, outputDim = 0;
  /// Empty if they are not used.
  std::vector<float> logPriors;
  /// The chunk's input; kept to save the allocation.
  ::nnet3::kaldi::Matrix input;
};

} // namespace mlir::nnet3

#endif // NNET3_EXECUTION_UTTERANCECOMPUTER_H
