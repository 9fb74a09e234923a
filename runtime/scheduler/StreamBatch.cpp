//===- StreamBatch.cpp - A batch of chunks --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "StreamBatch.h"

using namespace nnet3::rt;

static size_t getSize(int32_t rows, int32_t cols) {
  return static_cast<size_t>(rows) * static_cast<size_t>(cols);
}

StreamBatch::StreamBatch(const StreamFacts &facts, int32_t maxStreams)
    : facts(facts), maxStreams(static_cast<size_t>(maxStreams)),
      inputs(this->maxStreams *
             getSize(facts.mostInputRows(), facts.info.input_dim)),
      ivectors(this->maxStreams *
               getSize(facts.mostIvectorRows(), facts.info.ivector_dim)),
      outputs(this->maxStreams *
              getSize(facts.chunks.back().output_rows, facts.info.output_dim)),
      given(2 * this->maxStreams), wanted(this->maxStreams),
      steps(this->maxStreams) {
  entries.reserve(this->maxStreams);
}

void StreamBatch::begin(int32_t number, size_t most) {
  chunk = number;
  this->most = std::min(most, maxStreams);
  entries.clear();
}

void StreamBatch::add(ScheduledStream &stream) {
  Entry &entry = entries.emplace_back();
  entry.stream = stream.shared_from_this();
  if (chunk >= 0)
    describe(entries.size() - 1, stream);
}

void StreamBatch::describe(size_t slot, ScheduledStream &stream) {
  FrameQueue &frames = stream.frames;
  const nnet3lib_stream_info &info = facts.info;
  float *input =
      inputs.data() + slot * getSize(facts.mostInputRows(), info.input_dim);
  float *ivector = ivectors.data() +
                   slot * getSize(facts.mostIvectorRows(), info.ivector_dim);
  float *output =
      outputs.data() +
      slot * getSize(facts.chunks.back().output_rows, info.output_dim);
  Entry &entry = entries[slot];
  entry.oldest = frames.getOldest();
  entry.ready = frames.getReady(chunk);
  entry.numRows = frames.countOutputs(chunk);
  entry.rows = output;
  given[2 * slot] = {input, info.input_dim, frames.countInputRows(chunk),
                     info.input_dim};
  given[2 * slot + 1] = {ivector, info.ivector_dim,
                         frames.countIvectorRows(chunk), info.ivector_dim};
  wanted[slot] = {output, info.output_dim,
                  facts.chunks[static_cast<size_t>(chunk)].output_rows,
                  info.output_dim};
  steps[slot] = {stream.state.data(), &given[2 * slot], &wanted[slot],
                 info.ivector_dim > 0 ? 2 : 1, NNET3LIB_OK};
  frames.take(chunk, input, ivector);
}

void StreamBatch::compute(const LibraryFunctions &functions,
                          nnet3lib_stepper *stepper) {
  if (chunk < 0)
    return;
  functions.stepper_step_batch(
      stepper, facts.chunks[static_cast<size_t>(chunk)].num_frames,
      steps.data(), static_cast<int32_t>(entries.size()));
  for (size_t slot = 0; slot < entries.size(); ++slot)
    entries[slot].status = steps[slot].status;
}
