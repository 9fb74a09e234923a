//===- SchedulerMetrics.cpp - Counters of a scheduler ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SchedulerMetrics.h"

using namespace nnet3::rt;

static double getSeconds(Time from, Time to) {
  return std::chrono::duration<double>(to - from).count();
}

void SchedulerMetrics::addStep(const StreamBatch &batch, Time begin, Time end) {
  busy += getSeconds(begin, end);
  ++numSteps;
  numChunks += batch.entries.size();
  ++batchSizes[batch.entries.size() - 1];
  for (const StreamBatch::Entry &entry : batch.entries) {
    latency.add(getSeconds(entry.oldest, end));
    delay.add(getSeconds(entry.ready, end));
    if (entry.status == NNET3LIB_OK)
      numOutputs += static_cast<uint64_t>(entry.numRows);
  }
}

void SchedulerMetrics::give(nnet3sc_metrics &to, int32_t numWorkers,
                            Time now) const {
  to.num_opened = numOpened;
  to.num_ended = numEnded;
  to.num_failed = numFailed;
  to.num_frames = numFrames;
  to.num_outputs = numOutputs;
  to.num_steps = numSteps;
  to.num_chunks = numChunks;
  to.seconds = getSeconds(start, now);
  to.utilisation =
      to.seconds > 0 ? std::min(busy / (to.seconds * numWorkers), 1.0) : 0;
  to.latency_p50 = latency.getQuantile(0.5);
  to.latency_p99 = latency.getQuantile(0.99);
  to.latency_max = latency.getMax();
  to.delay_p50 = delay.getQuantile(0.5);
  to.delay_p99 = delay.getQuantile(0.99);
  to.delay_max = delay.getMax();
  for (int32_t i = 0; to.batch_sizes && i < to.num_batch_sizes; ++i)
    to.batch_sizes[i] = static_cast<size_t>(i) < batchSizes.size()
                            ? batchSizes[static_cast<size_t>(i)]
                            : 0;
}
