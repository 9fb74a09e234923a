//===- ChunkStream.h - Interface of chunk-wise streams ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_EXECUTION_CHUNKSTREAM_H
#define NNET3_EXECUTION_CHUNKSTREAM_H

#include "nnet3/Execution/Chunking.h"
#include "nnet3/Execution/StreamStepper.h"

namespace mlir::nnet3 {

/// Computes one stream at a time, with a network or with a library.
class ChunkStream {
public:
  virtual ~ChunkStream() = default;

  /// Number of frames after a chunk that its outputs read.
  virtual int64_t getRight() const = 0;
  virtual int64_t getFrameSubsamplingFactor() const = 0;

  /// Starts a new stream.
  virtual void begin() = 0;
  /// Returns the length of the next chunk if `numFrames` frames are left.
  virtual int64_t getNumFrames(int64_t numFrames) const = 0;
  /// Returns the first and the last time of the input frames of the next chunk,
  /// which has `numFrames` frames, relative to its first output.
  virtual std::pair<int64_t, int64_t>
  getInputTimes(int64_t numFrames) const = 0;
  /// Returns the number of i-vectors of that chunk.
  virtual int64_t getNumIvectors(int64_t numFrames) const = 0;
  /// Computes that chunk. Emits an error if the inputs have wrong dims.
  virtual FailureOr<::nnet3::kaldi::Matrix>
  step(int64_t numFrames, const ::nnet3::kaldi::Matrix &input,
       const ::nnet3::kaldi::Matrix &ivectors) = 0;
};

/// Chooses the length of the next chunk from the ascending `lengths`, if
/// `numFrames` frames are left: the smallest length that is at least `usual` or
/// `numFrames`, whichever is less, or else the largest one.
int64_t chooseChunkLength(ArrayRef<int64_t> lengths, int64_t usual,
                          int64_t numFrames);

/// Creates a stream that runs requests of `runner`, which is for the network of
/// `stream`. Both must outlive the result. Chunks have `usual` frames
/// (chooseChunkLength()).
std::unique_ptr<ChunkStream> makeNetworkStream(RequestRunner &runner,
                                               StreamOp stream, int64_t usual);

/// Creates a stream that runs a library of nnet3-compile --streaming with
/// `numThreads` threads. Chunks have the length of the options, or the largest
/// length of the library; the last chunk has the smallest sufficient length.
/// Returns an error if the library has no streams, or none for the options.
llvm::Expected<std::unique_ptr<ChunkStream>>
makeLibraryStream(std::shared_ptr<CompiledLibrary> library,
                  const ChunkOptions &options, const GivenChunkOptions &given,
                  int32_t numThreads, Location loc);

} // namespace mlir::nnet3

#endif // NNET3_EXECUTION_CHUNKSTREAM_H
