//===- ScheduledStream.h - A stream of a scheduler --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_SCHEDULER_SCHEDULEDSTREAM_H
#define NNET3_RUNTIME_SCHEDULER_SCHEDULEDSTREAM_H

#include "FrameQueue.h"
#include "ReadyStreams.h"
#include "RowRing.h"
#include "core/AlignedMemory.h"
#include "nnet3/runtime/nnet3_scheduler.h"

#include <condition_variable>
#include <memory>

namespace nnet3 {
namespace rt {

/// A stream, under the lock of its scheduler, but for the state while a worker
/// computes.
struct ScheduledStream : std::enable_shared_from_this<ScheduledStream> {
  /// \p maxOutputs wait to be polled.
  ScheduledStream(nnet3sc_stream number, const StreamFacts &facts,
                  int32_t maxFrames, int32_t maxOutputs)
      : number(number), frames(facts, maxFrames), state(facts.info.state_bytes),
        outputs(maxOutputs, facts.info.output_dim),
        place(ReadyStreams::makePlace()) {}

  const nnet3sc_stream number;
  FrameQueue frames;
  AlignedBytes state;
  RowRing outputs;

  /// A worker has the stream.
  bool isBusy = false;
  /// All is computed that will be; `status` says whether by an error.
  bool hasEnded = false;
  bool isCancelled = false;
  nnet3sc_status status = NNET3SC_OK;

  /// Where it is in the list of those that are ready; -1: nowhere.
  int32_t kind = -1;
  ReadyStreams::Entry entry = {};
  ReadyStreams::Place place;

  /// For calls that wait: something of the above has changed.
  std::condition_variable changed;
};

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_SCHEDULER_SCHEDULEDSTREAM_H
