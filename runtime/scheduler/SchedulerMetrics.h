//===- SchedulerMetrics.h - Counters of a scheduler -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_SCHEDULER_SCHEDULERMETRICS_H
#define NNET3_RUNTIME_SCHEDULER_SCHEDULERMETRICS_H

#include "LatencyHistogram.h"
#include "StreamBatch.h"
#include "nnet3/runtime/nnet3_scheduler.h"

namespace nnet3 {
namespace rt {

/// The counters of a scheduler; the scheduler's lock guards them.
struct SchedulerMetrics {
  /// \p maxBatch is the largest number of streams per step.
  SchedulerMetrics(int32_t maxBatch, Time now)
      : batchSizes(static_cast<size_t>(maxBatch)), start(now) {}

  /// Counts a step that took from \p begin to \p end.
  void addStep(const StreamBatch &batch, Time begin, Time end);
  /// Sets all metrics except the current numbers of streams.
  void give(nnet3sc_metrics &to, int32_t numWorkers, Time now) const;

  uint64_t numOpened = 0, numEnded = 0, numFailed = 0;
  uint64_t numFrames = 0, numOutputs = 0, numSteps = 0, numChunks = 0;

private:
  std::vector<uint64_t> batchSizes;
  LatencyHistogram latency, delay;
  double busy = 0; ///< seconds of all workers
  Time start;
};

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_SCHEDULER_SCHEDULERMETRICS_H
