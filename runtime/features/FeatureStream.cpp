//===- FeatureStream.cpp - Streaming features -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FeatureStream.h"

using namespace nnet3::rt;

FeatureStream::FeatureStream(const FrameTables &tables)
    : tables(tables), computer(tables), samples(tables.frames.samples + 1),
      firstSample(tables.frames.getFirstRead(0)) {}

void FeatureStream::reset() {
  computer.reset();
  firstSample = tables.frames.getFirstRead(0);
  numSamples = nextFrame = 0;
  finished = false;
}

int64_t FeatureStream::fill(const float *data, int64_t count) {
  // The frame shift may exceed the frame length.
  const int64_t gap = std::max<int64_t>(firstSample - numSamples, 0);
  const int64_t passedOver = std::min(gap, count);
  const int64_t used =
      std::min(count, tables.frames.getEnd(nextFrame) - numSamples);
  if (passedOver < used)
    std::copy(data + passedOver, data + used,
              samples.begin() + (numSamples + passedOver - firstSample));
  numSamples += used;
  return used;
}

void FeatureStream::computeNext(float *row) {
  const int64_t begin = tables.frames.getBegin(nextFrame);
  float *frame = computer.getSamples();
  for (int64_t i = 0; i < tables.frames.samples; ++i)
    frame[i] = samples[Frames::mirror(begin + i, numSamples) - firstSample];
  computer.compute(row);

  const int64_t first = tables.frames.getFirstRead(++nextFrame);
  if (first < numSamples)
    std::copy(samples.begin() + (first - firstSample),
              samples.begin() + (numSamples - firstSample), samples.begin());
  firstSample = first;
}

int64_t FeatureStream::push(const float *data, int64_t count, float *rows,
                            int64_t maxRows, int64_t &numRows) {
  int64_t used = 0;
  for (numRows = 0;;) {
    if (numSamples < tables.frames.getEnd(nextFrame)) {
      if (used == count)
        return used;
      used += fill(data + used, count - used);
      continue;
    }
    if (numRows == maxRows)
      return used;
    computeNext(rows + numRows++ * tables.options.getDim());
  }
}

int64_t FeatureStream::finish(float *rows, int64_t maxRows) {
  finished = true;
  const int64_t numFrames = tables.frames.count(numSamples);
  int64_t numRows = 0;
  while (nextFrame < numFrames && numRows < maxRows)
    computeNext(rows + numRows++ * tables.options.getDim());
  return numRows;
}
