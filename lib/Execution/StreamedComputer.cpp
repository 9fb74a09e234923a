//===- StreamedComputer.cpp - Utterances as streams -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Execution/StreamedComputer.h"

#include "llvm/Support/MathExtras.h"

using namespace ::nnet3::kaldi;
using namespace mlir;
using namespace mlir::nnet3;

FailureOr<std::unique_ptr<UtteranceComputer>>
StreamedComputer::create(RequestRunner &runner, StreamOp stream,
                         const ComputeOptions &options) {
  std::unique_ptr<StreamedComputer> computer(
      new StreamedComputer(runner, stream, options));
  if (failed(computer->readPriors()))
    return failure();
  return std::unique_ptr<UtteranceComputer>(std::move(computer));
}

FailureOr<int64_t> StreamedComputer::countRows(const Utterance &utterance) {
  return llvm::divideCeil(utterance.features->rows,
                          computer.getStream().getFrameSubsamplingFactor());
}

/// The i-vector when so many frames are there.
ArrayRef<float> StreamedComputer::getIvector(const Utterance &utterance,
                                             int64_t numFrames) const {
  if (utterance.ivector)
    return *utterance.ivector;
  const Matrix &ivectors = *utterance.onlineIvectors;
  return ivectors.row(std::clamp<int64_t>(
      (numFrames - 1) / options.onlineIvectorPeriod, 0, ivectors.rows - 1));
}

/// What a chunk that begins at frame `start` brings.
llvm::StringMap<Matrix> StreamedComputer::getInputs(const Utterance &utterance,
                                                    int64_t start,
                                                    int64_t numFrames) {
  StreamOp stream = computer.getStream();
  const Matrix &features = *utterance.features;
  const bool isFirst = start == 0;
  llvm::StringMap<Matrix> inputs;
  const SmallVector<Index> frames =
      stream.getNewRows("input", numFrames, isFirst);
  Matrix &input = inputs["input"] = Matrix(frames.size(), inputDim);
  for (auto [number, index] : llvm::enumerate(frames))
    llvm::copy(features.row(
                   std::clamp<int64_t>(start + index.t, 0, features.rows - 1)),
               input.row(number).begin());
  if (ivectorDim == 0)
    return inputs;
  const int64_t numIvectors =
      stream.getNewRows("ivector", numFrames, isFirst).size();
  Matrix &ivectors = inputs["ivector"] = Matrix(numIvectors, ivectorDim);
  const int64_t numSeen = std::min<int64_t>(
      start + numFrames + int64_t(stream.getRight()), features.rows);
  for (int64_t r = 0; r < numIvectors; ++r)
    llvm::copy(getIvector(utterance, numSeen), ivectors.row(r).begin());
  return inputs;
}

LogicalResult StreamedComputer::computeRows(const Utterance &utterance,
                                            Matrix &output) {
  const int64_t factor = computer.getStream().getFrameSubsamplingFactor();
  StreamState state;
  for (int64_t start = 0; start < output.rows * factor;) {
    const int64_t numFrames = computer.getChunks(state).front();
    FailureOr<Matrix> chunk =
        computer.step(state, numFrames, getInputs(utterance, start, numFrames));
    if (failed(chunk))
      return failure();
    const int64_t first = start / factor;
    for (int64_t r = 0; r < std::min(chunk->rows, output.rows - first); ++r)
      llvm::copy(chunk->row(r), output.row(first + r).begin());
    start += numFrames;
  }
  return success();
}
