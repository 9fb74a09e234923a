//===- FrameQueue.h - The queued frames of a stream -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_SCHEDULER_FRAMEQUEUE_H
#define NNET3_RUNTIME_SCHEDULER_FRAMEQUEUE_H

#include "StreamFacts.h"

#include <chrono>
#include <deque>

namespace nnet3 {
namespace rt {

using Time = std::chrono::steady_clock::time_point;

/// A bounded queue of the frames of a stream that wait for a chunk, and the
/// position of the stream. Pads with copies of the first frame before the start
/// and, after close(), with copies of the last frame after the end.
class FrameQueue {
public:
  FrameQueue(const StreamFacts &facts, int32_t capacity);

  /// Number of frames that push() accepts.
  int32_t getRoom() const {
    return capacity - static_cast<int32_t>(numPushed - nextFrame);
  }
  bool hasIvector() const { return !ivectors.empty(); }

  /// Adds at most getRoom() frames; \p ivector is for these and later frames;
  /// null: unchanged.
  void push(const float *frames, int32_t count, const float *ivector, Time now);
  void close() { isClosed = true; }
  bool hasClosed() const { return isClosed; }
  /// Whether all outputs of all frames have been taken.
  bool isFinished() const { return isClosed && nextOutput >= numPushed; }

  /// Whether a chunk has been taken.
  bool hasBegun() const { return nextOutput > 0; }
  /// Whether all frames of chunk number \p chunk are there.
  bool canHave(int32_t chunk) const;
  /// Returns the longest chunk whose frames are there. At the end of the
  /// stream, the longest chunk that needs no padding, or the shortest one with
  /// padding. -1 if there is none.
  int32_t chooseChunk() const;
  /// Arrival times of the oldest queued frame, and of the last frame that a
  /// chunk needs.
  Time getOldest() const { return getArrival(nextFrame); }
  Time getReady(int32_t chunk) const;

  /// Number of outputs of a chunk without those of padding.
  int32_t countOutputs(int32_t chunk) const;
  /// Numbers of new rows of the input and of the i-vectors of a chunk.
  int32_t countInputRows(int32_t chunk) const;
  int32_t countIvectorRows(int32_t chunk) const;
  /// Copies these rows, and advances the stream by the chunk.
  void take(int32_t chunk, float *input, float *ivectorRows);

private:
  struct Ivector {
    int64_t frame; ///< the first frame that it is for
    std::vector<float> values;
  };

  const float *getFrame(int64_t time) const;
  const float *getIvector(int64_t time) const;
  Time getArrival(int64_t time) const;
  int64_t getFirstTime() const;

  const StreamFacts &facts;
  const int32_t capacity, dim;
  std::vector<float> frames; ///< a ring
  std::vector<Time> arrivals;
  std::vector<float> last;
  Time lastArrival;
  std::deque<Ivector> ivectors;
  int64_t numPushed = 0;
  int64_t nextFrame = 0;  ///< the first queued frame
  int64_t nextOutput = 0; ///< time of the next chunk's first output
  bool isClosed = false;
};

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_SCHEDULER_FRAMEQUEUE_H
