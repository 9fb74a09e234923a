//===- FrameQueue.h - The frames of a stream that wait ----------*- C++ -*-===//
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

/// The frames of a stream that wait for a chunk, at most so many, and how far
/// the stream is computed. Copies of the first frame stand for those before it,
/// and behind close() copies of the last one for those behind it.
class FrameQueue {
public:
  FrameQueue(const StreamFacts &facts, int32_t capacity);

  /// How many frames there is room for.
  int32_t getRoom() const {
    return capacity - static_cast<int32_t>(numPushed - nextFrame);
  }
  bool hasIvector() const { return !ivectors.empty(); }

  /// Adds at most getRoom() frames; \p ivector is for them and later ones, and
  /// null if it stays.
  void push(const float *frames, int32_t count, const float *ivector, Time now);
  void close() { isClosed = true; }
  bool hasClosed() const { return isClosed; }
  /// Whether all outputs of all frames have been taken.
  bool isFinished() const { return isClosed && nextOutput >= numPushed; }

  /// Whether there has been a chunk.
  bool hasBegun() const { return nextOutput > 0; }
  /// Whether the frames do for chunk number \p chunk.
  bool canHave(int32_t chunk) const;
  /// The chunk to compute next, by what has waited: the longest one that the
  /// frames do for. At the end the longest without a frame that was not there,
  /// or the shortest. -1 if there is none.
  int32_t chooseChunk() const;
  /// When the oldest frame that waits arrived, and when the last frame did that
  /// the chunk needs.
  Time getOldest() const { return getArrival(nextFrame); }
  Time getReady(int32_t chunk) const;

  /// Outputs of a chunk that are those of frames that were there.
  int32_t countOutputs(int32_t chunk) const;
  /// The new rows of the input and of the i-vectors that a chunk takes.
  int32_t countInputRows(int32_t chunk) const;
  int32_t countIvectorRows(int32_t chunk) const;
  /// Copies these rows, and goes on behind the chunk.
  void take(int32_t chunk, float *input, float *ivectorRows);

private:
  struct Ivector {
    int64_t frame; ///< the first one that it is for
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
  int64_t nextFrame = 0;  ///< the first one that waits
  int64_t nextOutput = 0; ///< time of the next chunk's first output
  bool isClosed = false;
};

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_SCHEDULER_FRAMEQUEUE_H
