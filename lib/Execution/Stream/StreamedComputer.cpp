//===- StreamedComputer.cpp - Utterances as streams -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Execution/StreamedComputer.h"

#include "llvm/Support/MathExtras.h"
#include <limits>

using namespace ::nnet3::kaldi;
using namespace mlir;
using namespace mlir::nnet3;

FailureOr<std::unique_ptr<StreamedComputer>>
StreamedComputer::create(RequestRunner &runner,
                         std::unique_ptr<ChunkStream> stream,
                         const ComputeOptions &options) {
  std::unique_ptr<StreamedComputer> computer(
      new StreamedComputer(runner, std::move(stream), options));
  if (failed(computer->readPriors()))
    return failure();
  return computer;
}

FailureOr<int64_t> StreamedComputer::countRows(const Utterance &utterance) {
  return llvm::divideCeil(utterance.features->rows,
                          getFrameSubsamplingFactor());
}

/// Returns the i-vector after `numFrames` frames.
ArrayRef<float> StreamedComputer::getIvector(const Utterance &utterance,
                                             int64_t numFrames) const {
  if (utterance.ivector)
    return *utterance.ivector;
  const Matrix &ivectors = *utterance.onlineIvectors;
  return ivectors.row(std::clamp<int64_t>(
      (numFrames - 1) / options.onlineIvectorPeriod, 0, ivectors.rows - 1));
}

/// Computes the chunk that begins at frame `start`.
FailureOr<Matrix> StreamedComputer::computeChunk(const Utterance &utterance,
                                                 int64_t numFrames) {
  const Matrix &features = *utterance.features;
  const auto [first, last] = stream->getInputTimes(numFrames);
  Matrix input(last - first + 1, inputDim);
  for (int64_t r = 0; r < input.rows; ++r)
    llvm::copy(features.row(std::clamp<int64_t>(start + first + r - dropped, 0,
                                                features.rows - 1)),
               input.row(r).begin());
  Matrix ivectors(ivectorDim ? stream->getNumIvectors(numFrames) : 0,
                  ivectorDim);
  const int64_t numSeen =
      std::min(start + numFrames + stream->getRight(), countFrames(utterance));
  for (int64_t r = 0; r < ivectors.rows; ++r)
    llvm::copy(getIvector(utterance, numSeen), ivectors.row(r).begin());
  return stream->step(numFrames, input, ivectors);
}

void StreamedComputer::begin() {
  stream->begin();
  start = 0;
  dropped = 0;
}

/// Returns the number of frames of the next chunk. If the utterance is whole,
/// at most `available` frames are left.
static int64_t getNumFrames(const ChunkStream &stream, int64_t available,
                            bool isWhole) {
  return stream.getNumFrames(isWhole ? available
                                     : std::numeric_limits<int64_t>::max());
}

int64_t StreamedComputer::getNumFramesRead(const Utterance &utterance,
                                           bool isWhole) const {
  const int64_t available = countFrames(utterance) - start;
  const int64_t end =
      start + getNumFrames(*stream, available, isWhole) + stream->getRight();
  return isWhole ? std::min(end, countFrames(utterance)) : end;
}

FailureOr<Matrix> StreamedComputer::computeNext(const Utterance &utterance,
                                                bool isWhole) {
  const int64_t available = countFrames(utterance) - start;
  const int64_t numFrames = getNumFrames(*stream, available, isWhole);
  if (available <= 0 ||
      (!isWhole && available < numFrames + stream->getRight()))
    return Matrix(0, outputDim);
  FailureOr<Matrix> chunk = computeChunk(utterance, numFrames);
  if (failed(chunk))
    return failure();
  start += numFrames;
  // There are no outputs after the last frame.
  const int64_t factor = getFrameSubsamplingFactor();
  chunk->rows =
      std::min<int64_t>(chunk->rows, llvm::divideCeil(available, factor));
  chunk->data.resize(chunk->rows * chunk->cols);
  return chunk;
}

FailureOr<Matrix> StreamedComputer::advance(const Utterance &utterance,
                                            bool isWhole) {
  if (failed(checkDims(utterance)))
    return failure();
  FailureOr<Matrix> rows = computeNext(utterance, isWhole);
  if (succeeded(rows))
    for (int64_t r = 0; r < rows->rows; ++r)
      finishRow(rows->row(r));
  return rows;
}

int64_t StreamedComputer::dropFrames(Matrix &features) {
  // The last frame may stand for those after the end.
  const int64_t count = std::min(start - dropped, features.rows - 1);
  if (count <= 0)
    return 0;
  features.data.erase(features.data.begin(),
                      features.data.begin() + count * features.cols);
  features.rows -= count;
  dropped += count;
  return count;
}

LogicalResult StreamedComputer::computeRows(const Utterance &utterance,
                                            Matrix &output) {
  begin();
  for (int64_t first = 0; first < output.rows;) {
    FailureOr<Matrix> chunk = computeNext(utterance, /*isWhole=*/true);
    if (failed(chunk))
      return failure();
    llvm::copy(chunk->data, output.row(first).begin());
    first += chunk->rows;
  }
  return success();
}
