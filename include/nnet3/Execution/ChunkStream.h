//===- ChunkStream.h - What computes a stream chunk by chunk ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_EXECUTION_CHUNKSTREAM_H
#define NNET3_EXECUTION_CHUNKSTREAM_H

#include "nnet3/Execution/Chunking.h"
#include "nnet3/Execution/StreamStepper.h"

namespace mlir::nnet3 {

/// Computes one stream at a time, by a network or by a library.
class ChunkStream {
public:
  virtual ~ChunkStream() = default;

  /// Frames behind a chunk that its outputs read.
  virtual int64_t getRight() const = 0;
  virtual int64_t getFrameSubsamplingFactor() const = 0;

  /// Begins a stream, or begins anew.
  virtual void begin() = 0;
  /// The frames of the next chunk, of `numFrames` that are left.
  virtual int64_t getNumFrames(int64_t numFrames) const = 0;
  /// The times of the frames that the next chunk, of `numFrames` frames, takes,
  /// counted from its first output.
  virtual std::pair<int64_t, int64_t>
  getInputTimes(int64_t numFrames) const = 0;
  /// How many rows of i-vectors it takes.
  virtual int64_t getNumIvectors(int64_t numFrames) const = 0;
  /// Computes it. Fails with an error where the inputs have other dims.
  virtual FailureOr<::nnet3::kaldi::Matrix>
  step(int64_t numFrames, const ::nnet3::kaldi::Matrix &input,
       const ::nnet3::kaldi::Matrix &ivectors) = 0;
};

/// The length of the next chunk, of the ascending `lengths` that it may have,
/// where `numFrames` frames are left: `usual`, or else the next longer one. A
/// shorter one if that has all frames.
int64_t chooseChunkLength(ArrayRef<int64_t> lengths, int64_t usual,
                          int64_t numFrames);

/// By requests of `runner`, which is for the network of `stream`. Both outlive
/// the result. Chunks have `usual` frames (chooseChunkLength()).
std::unique_ptr<ChunkStream> makeNetworkStream(RequestRunner &runner,
                                               StreamOp stream, int64_t usual);

/// By a library of nnet3-compile --streaming, with as many threads. Chunks have
/// the length that the options say, or the longest of the library; the last one
/// is the shortest that is long enough. Fails if the library computes no
/// streams or none such.
llvm::Expected<std::unique_ptr<ChunkStream>>
makeLibraryStream(std::shared_ptr<CompiledLibrary> library,
                  const ChunkOptions &options, const GivenChunkOptions &given,
                  int32_t numThreads, Location loc);

} // namespace mlir::nnet3

#endif // NNET3_EXECUTION_CHUNKSTREAM_H
