//===- NetworkStream.cpp - A stream by a network --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Execution/ChunkStream.h"

using namespace ::nnet3::kaldi;
using namespace mlir;
using namespace mlir::nnet3;

namespace {
class NetworkStream : public ChunkStream {
public:
  NetworkStream(RequestRunner &runner, StreamOp stream, int64_t usual)
      : stepper(runner, stream), usual(usual) {}

  int64_t getRight() const override { return getStream().getRight(); }
  int64_t getFrameSubsamplingFactor() const override {
    return getStream().getFrameSubsamplingFactor();
  }
  void begin() override { state = {}; }
  int64_t getNumFrames(int64_t numFrames) const override {
    return chooseChunkLength(stepper.getChunks(state), usual, numFrames);
  }
  std::pair<int64_t, int64_t> getInputTimes(int64_t numFrames) const override {
    const auto rows = getStream().getNewRows("input", numFrames, isFirst());
    return {rows.front().t, rows.back().t};
  }
  int64_t getNumIvectors(int64_t numFrames) const override {
    return getStream().getNewRows("ivector", numFrames, isFirst()).size();
  }
  FailureOr<Matrix> step(int64_t numFrames, const Matrix &input,
                         const Matrix &ivectors) override {
    llvm::StringMap<Matrix> inputs;
    inputs["input"] = input;
    if (ivectors.cols)
      inputs["ivector"] = ivectors;
    return stepper.step(state, numFrames, inputs);
  }

private:
  StreamOp getStream() const { return stepper.getStream(); }
  bool isFirst() const { return !state.hasBegun; }

  StreamStepper stepper;
  StreamState state;
  int64_t usual;
};
} // namespace

int64_t mlir::nnet3::chooseChunkLength(ArrayRef<int64_t> lengths, int64_t usual,
                                       int64_t numFrames) {
  const auto *length = llvm::lower_bound(lengths, std::min(usual, numFrames));
  return length == lengths.end() ? lengths.back() : *length;
}

std::unique_ptr<ChunkStream>
mlir::nnet3::makeNetworkStream(RequestRunner &runner, StreamOp stream,
                               int64_t usual) {
  return std::make_unique<NetworkStream>(runner, stream, usual);
}
