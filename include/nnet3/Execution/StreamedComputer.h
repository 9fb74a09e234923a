//===- StreamedComputer.h - Utterances as streams ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_EXECUTION_STREAMEDCOMPUTER_H
#define NNET3_EXECUTION_STREAMEDCOMPUTER_H

#include "nnet3/Execution/StreamStepper.h"
#include "nnet3/Execution/UtteranceComputer.h"

namespace mlir::nnet3 {

/// Computes utterances as streams (spec: looped.md 4.6): one chunk after the
/// other, each from its own frames and the state that the one before has left.
/// Frames before the utterance and behind it stand for its first or last one,
/// and all i-vectors of a chunk are the latest that there is by then.
class StreamedComputer : public UtteranceComputer {
public:
  /// `stream`, which has chunks of one sequence, is for the runner's network
  /// and outlives the computer. Fails with an error at the network if its
  /// priors do not fit.
  static FailureOr<std::unique_ptr<UtteranceComputer>>
  create(RequestRunner &runner, StreamOp stream, const ComputeOptions &options);

protected:
  FailureOr<int64_t> countRows(const Utterance &utterance) override;
  LogicalResult computeRows(const Utterance &utterance,
                            ::nnet3::kaldi::Matrix &output) override;

private:
  StreamedComputer(RequestRunner &runner, StreamOp stream,
                   const ComputeOptions &options)
      : UtteranceComputer(runner, options), computer(runner, stream) {}

  llvm::StringMap<::nnet3::kaldi::Matrix>
  getInputs(const Utterance &utterance, int64_t start, int64_t numFrames);
  llvm::ArrayRef<float> getIvector(const Utterance &utterance,
                                   int64_t numFrames) const;

  StreamStepper computer;
};

} // namespace mlir::nnet3

#endif // NNET3_EXECUTION_STREAMEDCOMPUTER_H
