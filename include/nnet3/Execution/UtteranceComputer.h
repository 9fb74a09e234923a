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

/// Runs a network with one input, or an `ivector` besides, over utterances. The
/// network must not change while the computer lives.
class UtteranceComputer {
public:
  virtual ~UtteranceComputer() = default;

  /// The output, one row for each `frameSubsamplingFactor` frames. Fails with
  /// an error that names the utterance, if its dims do not fit the network.
  FailureOr<::nnet3::kaldi::Matrix> compute(const Utterance &utterance);

  const RequestRunner &getRunner() const { return runner; }

protected:
  UtteranceComputer(RequestRunner &runner, const ComputeOptions &options);

  /// Fails with an error at the network if its priors do not fit.
  LogicalResult readPriors();
  InFlightDiagnostic emitError();
  /// Computes the rows of an output without priors and scale.
  virtual LogicalResult computeRows(const Utterance &utterance,
                                    ::nnet3::kaldi::Matrix &output) = 0;
  /// The number of rows; at most ceil(frames / factor). Checks that they can be
  /// computed.
  virtual FailureOr<int64_t> countRows(const Utterance &utterance) = 0;

  RequestRunner &runner;
  ComputeOptions options;
  int64_t inputDim = 0, ivectorDim = 0, outputDim = 0;

  /// The matrix for the output of `utterance`, all zeros. Fails with an error
  /// that names the utterance.
  FailureOr<::nnet3::kaldi::Matrix> allocateOutput(const Utterance &utterance);
  /// Applies priors and scale to all rows.
  void finishOutput(::nnet3::kaldi::Matrix &output);
  /// Fails with an error that names the utterance.
  LogicalResult checkDims(const Utterance &utterance);
  /// Priors and scale.
  void finishRow(llvm::MutableArrayRef<float> row);

private:
  /// Empty if they are not used.
  std::vector<float> logPriors;
};

} // namespace mlir::nnet3

#endif // NNET3_EXECUTION_UTTERANCECOMPUTER_H
