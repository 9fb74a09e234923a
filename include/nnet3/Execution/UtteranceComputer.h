//===- UtteranceComputer.h - The network over an utterance ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_EXECUTION_UTTERANCECOMPUTER_H
#define NNET3_EXECUTION_UTTERANCECOMPUTER_H

#include "nnet3/Execution/ChunkPlan.h"
#include "nnet3/Execution/RequestRunner.h"
#include "nnet3/Kaldi/Matrix/Matrix.h"

namespace mlir::nnet3 {

/// The options of nnet3-compute.
struct ComputeOptions {
  ChunkOptions chunks;
  /// Frames per row of the online i-vectors.
  int32_t onlineIvectorPeriod = 0;
  /// Subtract the logarithm of the network's priors from the output.
  bool usePriors = false;
  /// Factor of the output, after subtracting priors.
  float acousticScale = 1;
  /// Exponentiate the result.
  bool applyExp = false;
};

/// The features of an utterance, and optionally its i-vectors of one kind.
struct Utterance {
  llvm::StringRef key;
  /// One row per frame, at least one.
  const ::nnet3::kaldi::Matrix *features = nullptr;
  /// One i-vector for the whole utterance.
  const std::vector<float> *ivector = nullptr;
  /// One i-vector for each `onlineIvectorPeriod` frames.
  const ::nnet3::kaldi::Matrix *onlineIvectors = nullptr;
};

/// Runs a network with an input `input`, and optionally `ivector`, on
/// utterances. The network must not change during the lifetime of the computer.
class UtteranceComputer {
public:
  virtual ~UtteranceComputer() = default;

  /// Computes the output, one row for each `frameSubsamplingFactor` frames.
  /// Emits an error that names the utterance if its dims do not match the
  /// network.
  FailureOr<::nnet3::kaldi::Matrix> compute(const Utterance &utterance);

  const RequestRunner &getRunner() const { return runner; }

protected:
  UtteranceComputer(RequestRunner &runner, const ComputeOptions &options);

  /// Emits an error at the network if the dim of its priors is wrong.
  LogicalResult readPriors();
  InFlightDiagnostic emitError();
  /// Computes the rows of an output without priors and scale.
  virtual LogicalResult computeRows(const Utterance &utterance,
                                    ::nnet3::kaldi::Matrix &output) = 0;
  /// Returns the number of output rows, at most ceil(frames / factor), after
  /// checking that they can be computed.
  virtual FailureOr<int64_t> countRows(const Utterance &utterance) = 0;

  RequestRunner &runner;
  ComputeOptions options;
  int64_t inputDim = 0, ivectorDim = 0, outputDim = 0;

  /// Returns a zero-filled matrix for the output of `utterance`. On failure,
  /// emits an error that names the utterance.
  FailureOr<::nnet3::kaldi::Matrix> allocateOutput(const Utterance &utterance);
  /// Applies priors and scale to all rows.
  void finishOutput(::nnet3::kaldi::Matrix &output);
  /// On failure, emits an error that names the utterance.
  LogicalResult checkDims(const Utterance &utterance);
  /// Applies priors and scale to one row.
  void finishRow(llvm::MutableArrayRef<float> row);

private:
  /// The logarithms of the priors; empty if they are not used.
  std::vector<float> logPriors;
};

} // namespace mlir::nnet3

#endif // NNET3_EXECUTION_UTTERANCECOMPUTER_H
