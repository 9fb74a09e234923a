//===- SchedulerWorker.cpp - The worker threads of a scheduler ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Scheduler.h"

#include <optional>
#include <system_error>

#ifdef __linux__
#include <pthread.h>
#include <sched.h>
#endif

using namespace nnet3::rt;

//===----------------------------------------------------------------------===//
// Threads
//===----------------------------------------------------------------------===//

/// The scheduler of this worker thread; null in other threads.
static thread_local const Scheduler *currentScheduler = nullptr;

bool Scheduler::isInCallback() const { return currentScheduler == this; }

Scheduler::Worker::~Worker() {
  if (stepper)
    functions->stepper_destroy(stepper);
}

/// Pins the thread to one of the CPUs of the process. Does nothing if the
/// system does not support it.
static void pin(std::thread &thread, int32_t number) {
#ifdef __linux__
  cpu_set_t all, one;
  if (sched_getaffinity(0, sizeof(all), &all) != 0)
    return;
  int32_t skip = number % CPU_COUNT(&all);
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (!CPU_ISSET(cpu, &all) || skip-- > 0)
      continue;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    pthread_setaffinity_np(thread.native_handle(), sizeof(one), &one);
    return;
  }
#else
  (void)thread;
  (void)number;
#endif
}

nnet3sc_status Scheduler::start(std::string &message) {
  for (int32_t i = 0; i < options.num_workers; ++i) {
    auto worker = std::make_unique<Worker>();
    worker->functions = &functions;
    if (const nnet3lib_status status =
            functions.stepper_create(model, nullptr, &worker->stepper)) {
      message = functions.error_text(status);
      return status == NNET3LIB_OUT_OF_MEMORY ? NNET3SC_OUT_OF_MEMORY
                                              : NNET3SC_CANNOT_OPEN;
    }
    worker->batch = std::make_unique<StreamBatch>(facts, options.max_batch);
    workers.push_back(std::move(worker));
  }
  int32_t number = 0;
  for (const std::unique_ptr<Worker> &worker : workers) {
    try {
      worker->thread = std::thread([this, &worker = *worker] { work(worker); });
    } catch (const std::system_error &) {
      message = "the system has not so many threads";
      return NNET3SC_NO_THREADS;
    }
    if (options.pin_workers)
      pin(worker->thread, number++);
  }
  return NNET3SC_OK;
}

void Scheduler::work(Worker &worker) {
  currentScheduler = this;
  StreamBatch &batch = *worker.batch;
  Hold hold(lock);
  while (!isStopping) {
    Time wake = Time::max();
    const Time begin = Clock::now();
    if (!formBatch(batch, begin, wake)) {
      if (wake == Time::max())
        hasWork.wait(hold);
      else
        hasWork.wait_until(hold, wake);
      continue;
    }
    // This worker is busy now; let another one take the rest.
    if (ready.size() > 0)
      hasWork.notify_one();
    hold.unlock();
    batch.compute(functions, worker.stepper);
    const Time end = Clock::now();
    hold.lock();
    if (batch.chunk >= 0)
      metrics.addStep(batch, begin, end);
    finish(batch, hold);
  }
}

//===----------------------------------------------------------------------===//
// Choosing
//===----------------------------------------------------------------------===//

/// Returns the kind of the next batch; -1 to wait for more streams, until
/// \p wake at the latest.
int32_t Scheduler::chooseKind(Time now, Time &wake) const {
  if (ready.size(endKind()) > 0)
    return endKind();
  const ReadyStreams::Entry *oldest = nullptr;
  const int32_t kind = ready.findOldest(oldest);
  if (kind < 0 || oldest->since + maxWait <= now)
    return kind;
  size_t count = 0;
  for (int32_t k = endKind() - 1; k >= 0; --k) {
    count += ready.size(k);
    if (count >= static_cast<size_t>(options.max_batch))
      return k;
  }
  wake = oldest->since + maxWait;
  return -1;
}

/// Forms a batch of the oldest streams that can compute the same chunk, of a
/// size by chooseBatch(). First and later chunks are not mixed, because
/// libraries compute them separately.
bool Scheduler::formBatch(StreamBatch &batch, Time now, Time &wake) {
  const int32_t kind = chooseKind(now, wake);
  if (kind < 0)
    return false;
  const bool isEnd = kind == endKind();
  const auto most = static_cast<size_t>(options.max_batch);
  std::optional<bool> hasBegun;
  const auto belongs = [&](const ScheduledStream &stream) {
    const FrameQueue &frames = stream.frames;
    if (isEnd || !frames.canHave(kind))
      return isEnd;
    if (!hasBegun)
      hasBegun = frames.hasBegun();
    return frames.hasBegun() == *hasBegun;
  };
  size_t numReady = 0;
  ready.visit(kind, [&](ScheduledStream &stream) {
    numReady += belongs(stream);
    return numReady < most;
  });
  batch.begin(isEnd ? -1 : kind,
              isEnd ? numReady : facts.chooseBatch(numReady, most));
  ready.visit(kind, [&](ScheduledStream &stream) {
    if (belongs(stream))
      batch.add(stream);
    return !batch.isFull();
  });
  for (const StreamBatch::Entry &entry : batch.entries) {
    entry.stream->isBusy = true;
    refresh(*entry.stream);
    // The queue of frames has space now.
    entry.stream->changed.notify_all();
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Outputs
//===----------------------------------------------------------------------===//

/// Records the result of a step. With a callback, a stream that has ended is
/// removed before the callback is called; otherwise polls remove it.
void Scheduler::note(StreamBatch::Entry &entry) {
  ScheduledStream &stream = *entry.stream;
  entry.isCancelled = stream.isCancelled;
  if (entry.isCancelled)
    return remove(stream);
  if (entry.status != NNET3LIB_OK) {
    stream.status = NNET3SC_STEP_FAILED;
    entry.numRows = 0;
  }
  if (!options.on_result)
    stream.outputs.push(entry.rows, entry.numRows);
  entry.isLast = entry.status != NNET3LIB_OK || stream.frames.isFinished();
  if (!entry.isLast)
    return;
  stream.hasEnded = true;
  ++metrics.numEnded;
  metrics.numFailed += stream.status != NNET3SC_OK;
  if (options.on_result)
    remove(stream);
}

void Scheduler::callBack(const StreamBatch::Entry &entry) const {
  const ScheduledStream &stream = *entry.stream;
  const nnet3sc_result result = {
      entry.rows,   entry.numRows, facts.info.output_dim,
      entry.isLast, stream.status, entry.status};
  options.on_result(options.context, stream.number, &result);
}

/// Delivers the outputs of a batch, and releases its streams.
void Scheduler::finish(StreamBatch &batch, Hold &hold) {
  for (StreamBatch::Entry &entry : batch.entries)
    note(entry);
  if (options.on_result) {
    hold.unlock();
    for (const StreamBatch::Entry &entry : batch.entries)
      if (!entry.isCancelled)
        callBack(entry);
    hold.lock();
  }
  for (StreamBatch::Entry &entry : batch.entries) {
    ScheduledStream &stream = *entry.stream;
    stream.isBusy = false;
    if (stream.isCancelled && !stream.hasEnded)
      remove(stream);
    refresh(stream);
    stream.changed.notify_all();
  }
  batch.clear();
}
