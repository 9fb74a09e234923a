//===- ScheduledStream.h - A stream of a scheduler --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_SCHEDULER_SCHEDULEDSTREAM_H
#define NNET3_RUNTIME_SCHEDULER_SCHEDULEDSTREAM_H

#include "FrameQueue.h"
#include "ReadyStreams.h"
#include "RowRing.h"
#include "nnet3/runtime/AlignedMemory.h"
#include "nnet3/runtime/nnet3_scheduler.h"

#include <condition_variable>
#include <memory>

namespace nnet3 {
namespace rt {

/// A stream. The scheduler's lock guards it, except for `state` while a worker
/// computes.
struct ScheduledStream : std::enable_shared_from_this<ScheduledStream> {
  /// \p maxOutputs is the capacity of the queue of outputs.
  ScheduledStream(nnet3sc_stream number, const StreamFacts &facts,
                  int32_t maxFrames, int32_t maxOutputs)
      : number(number), frames(facts, maxFrames), state(facts.info.state_bytes),
        outputs(maxOutputs, facts.info.output_dim),
        place(ReadyStreams::makePlace()) {}

  const nnet3sc_stream number;
  FrameQueue frames;
  AlignedBytes state;
  RowRing outputs;

  /// A worker computes the stream.
  bool isBusy = false;
  /// The stream has ended; `status` is the error, if one has ended it.
  bool hasEnded = false;
  bool isCancelled = false;
  nnet3sc_status status = NNET3SC_OK;

  /// Its kind in the list of ready streams; -1 if it is not there.
  int32_t kind = -1;
  ReadyStreams::Entry entry = {};
  ReadyStreams::Place place;

  /// Notifies waiting calls of changes.
  std::condition_variable changed;
};

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_SCHEDULER_SCHEDULEDSTREAM_H
