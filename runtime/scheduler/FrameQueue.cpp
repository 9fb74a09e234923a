//===- FrameQueue.cpp - The queued frames of a stream ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FrameQueue.h"

#include <algorithm>

using namespace nnet3::rt;

FrameQueue::FrameQueue(const StreamFacts &facts, int32_t capacity)
    : facts(facts), capacity(capacity), dim(facts.info.input_dim),
      frames(static_cast<size_t>(capacity) * static_cast<size_t>(dim)),
      arrivals(static_cast<size_t>(capacity)), last(static_cast<size_t>(dim)) {}

void FrameQueue::push(const float *from, int32_t count, const float *ivector,
                      Time now) {
  if (ivector)
    ivectors.push_back(
        {numPushed,
         std::vector<float>(ivector, ivector + facts.info.ivector_dim)});
  for (int32_t i = 0; i < count; ++i, from += dim, ++numPushed) {
    const auto place = static_cast<size_t>(numPushed % capacity);
    std::copy_n(from, dim, frames.begin() + static_cast<int64_t>(place) * dim);
    arrivals[place] = now;
  }
  if (count > 0) {
    std::copy_n(from - dim, dim, last.begin());
    lastArrival = now;
  }
}

bool FrameQueue::canHave(int32_t number) const {
  const nnet3lib_chunk_info &chunk = facts.chunks[static_cast<size_t>(number)];
  if (isFinished() || numPushed == 0 || (!hasBegun() && !chunk.can_begin))
    return false;
  return isClosed ||
         numPushed >= nextOutput + chunk.num_frames + facts.info.right_context;
}

int32_t FrameQueue::chooseChunk() const {
  int32_t chosen = -1;
  for (int32_t i = 0; i < facts.info.num_chunks; ++i) {
    const bool isTooLong =
        isClosed &&
        nextOutput + facts.chunks[static_cast<size_t>(i)].num_frames >
            numPushed;
    if (canHave(i) && (chosen < 0 || !isTooLong))
      chosen = i;
  }
  return chosen;
}

/// Returns the time of the first new row of the input.
int64_t FrameQueue::getFirstTime() const {
  return hasBegun() ? nextOutput + facts.info.right_context
                    : -int64_t(facts.info.left_context);
}

const float *FrameQueue::getFrame(int64_t time) const {
  if (time >= numPushed)
    return last.data();
  return frames.data() + std::max<int64_t>(time, 0) % capacity * dim;
}

const float *FrameQueue::getIvector(int64_t time) const {
  const Ivector *found = &ivectors.front();
  for (const Ivector &ivector : ivectors)
    if (ivector.frame <= time)
      found = &ivector;
  return found->values.data();
}

Time FrameQueue::getArrival(int64_t time) const {
  return time < numPushed ? arrivals[static_cast<size_t>(time % capacity)]
                          : lastArrival;
}

Time FrameQueue::getReady(int32_t chunk) const {
  return getArrival(nextOutput +
                    facts.chunks[static_cast<size_t>(chunk)].num_frames +
                    facts.info.right_context - 1);
}

int32_t FrameQueue::countOutputs(int32_t number) const {
  const nnet3lib_chunk_info &chunk = facts.chunks[static_cast<size_t>(number)];
  const int64_t factor = facts.info.frame_subsampling_factor;
  const int64_t there = (numPushed - nextOutput + factor - 1) / factor;
  return static_cast<int32_t>(std::min<int64_t>(there, chunk.output_rows));
}

int32_t FrameQueue::countInputRows(int32_t number) const {
  const nnet3lib_chunk_info &chunk = facts.chunks[static_cast<size_t>(number)];
  return hasBegun() ? chunk.next_input_rows : chunk.first_input_rows;
}

int32_t FrameQueue::countIvectorRows(int32_t number) const {
  const nnet3lib_chunk_info &chunk = facts.chunks[static_cast<size_t>(number)];
  return hasBegun() ? chunk.next_ivector_rows : chunk.first_ivector_rows;
}

void FrameQueue::take(int32_t chunk, float *input, float *ivectorRows) {
  const int64_t first = getFirstTime();
  for (int32_t row = 0; row < countInputRows(chunk); ++row, input += dim)
    std::copy_n(getFrame(first + row), dim, input);
  // The first chunk rounds its first time down to the period. Later chunks
  // round up, because the state has the earlier i-vectors.
  const int64_t period = facts.info.ivector_period;
  int64_t time = hasBegun() ? (first + period - 1) / period * period
                            : -(-first + period - 1) / period * period;
  for (int32_t row = 0; row < countIvectorRows(chunk); ++row) {
    ivectorRows =
        std::copy_n(getIvector(time), facts.info.ivector_dim, ivectorRows);
    time += period;
  }
  nextOutput += facts.chunks[static_cast<size_t>(chunk)].num_frames;
  nextFrame = std::min(nextOutput + facts.info.right_context, numPushed);
  while (ivectors.size() > 1 && ivectors[1].frame <= nextFrame)
    ivectors.pop_front();
}
