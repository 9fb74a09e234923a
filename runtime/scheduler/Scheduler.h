//===- Scheduler.h - Many live streams through one library ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One lock guards everything but the steps. Workers take the streams that have
// waited longest and compute them as a batch; a stream belongs to one worker at
// a time. Pushes, polls and steps allocate nothing except for i-vectors.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_RUNTIME_SCHEDULER_SCHEDULER_H
#define NNET3_RUNTIME_SCHEDULER_SCHEDULER_H

#include "ReadyStreams.h"
#include "SchedulerMetrics.h"

#include <mutex>
#include <thread>
#include <unordered_map>

namespace nnet3 {
namespace rt {

/// Implements nnet3_scheduler.h.
class Scheduler {
public:
  ~Scheduler();
  Scheduler(const Scheduler &) = delete;
  Scheduler &operator=(const Scheduler &) = delete;

  /// Creates a scheduler for \p model, which outlives it. Returns null on
  /// error, with \p status and \p message set.
  static std::unique_ptr<Scheduler> create(const LibraryFunctions &functions,
                                           const nnet3lib_model *model,
                                           const nnet3sc_options &options,
                                           nnet3sc_status &status,
                                           std::string &message);

  void getInfo(nnet3sc_info &info) const;
  nnet3sc_status open(nnet3sc_stream &number);
  nnet3sc_status push(nnet3sc_stream number, const float *frames, int32_t count,
                      const float *ivector, int32_t &numTaken);
  nnet3sc_status close(nnet3sc_stream number);
  nnet3sc_status cancel(nnet3sc_stream number);
  nnet3sc_status poll(nnet3sc_stream number, float *rows, int32_t maxRows,
                      double timeout, int32_t &numRows);
  void getMetrics(nnet3sc_metrics &metrics) const;
  void resetMetrics();

private:
  using StreamPtr = std::shared_ptr<ScheduledStream>;
  using Hold = std::unique_lock<std::mutex>;
  using Clock = std::chrono::steady_clock;
  struct Worker;

  Scheduler(const LibraryFunctions &functions, const nnet3lib_model *model,
            StreamFacts facts, const nnet3sc_options &options);
  nnet3sc_status start(std::string &message);

  // Scheduler.cpp
  StreamPtr find(nnet3sc_stream number) const;
  void refresh(ScheduledStream &stream);
  void remove(ScheduledStream &stream);
  bool isInCallback() const;

  // SchedulerWorker.cpp
  void work(Worker &worker);
  bool formBatch(StreamBatch &batch, Time now, Time &wake);
  int32_t chooseKind(Time now, Time &wake) const;
  void finish(StreamBatch &batch, Hold &hold);
  void note(StreamBatch::Entry &entry);
  void callBack(const StreamBatch::Entry &entry) const;

  /// The kind of finished streams, whose callers are yet to be notified.
  int32_t endKind() const { return facts.info.num_chunks; }

  const LibraryFunctions functions;
  const nnet3lib_model *const model;
  const StreamFacts facts;
  const nnet3sc_options options; ///< with defaults replaced
  const int32_t maxOutputs;
  const Time::duration maxWait;

  mutable std::mutex lock;
  std::unordered_map<nnet3sc_stream, StreamPtr> streams;
  ReadyStreams ready;
  SchedulerMetrics metrics;
  nnet3sc_stream numStreams = 0; ///< ever opened
  bool isStopping = false;
  int32_t numWaiting = 0; ///< waiting calls
  std::condition_variable hasWork, hasNoneWaiting;
  std::vector<std::unique_ptr<Worker>> workers;
};

/// A worker thread and its memory.
struct Scheduler::Worker {
  ~Worker();

  const LibraryFunctions *functions;
  nnet3lib_stepper *stepper = nullptr;
  std::unique_ptr<StreamBatch> batch;
  std::thread thread;
};

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_SCHEDULER_SCHEDULER_H
