//===- Scheduler.cpp - Calls of a scheduler -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Scheduler.h"

#include <cstdio>
#include <cstdlib>
#include <new>
#include <string>

using namespace nnet3::rt;

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

/// Returns the shortest of some texts that is read as this number.
static std::string toText(double value) {
  char text[32];
  for (const int digits : {6, 15, 17}) {
    std::snprintf(text, sizeof(text), "%.*g", digits, value);
    if (std::strtod(text, nullptr) == value)
      break;
  }
  return text;
}

/// Replaces zeros by the defaults. Returns false, with a message, if an option
/// is out of range.
static bool complete(nnet3sc_options &options, const StreamFacts &facts,
                     std::string &message) {
  const int32_t least = facts.longestChunk() + facts.info.right_context;
  if (options.num_workers == 0)
    options.num_workers = 1;
  if (options.max_batch == 0)
    options.max_batch = facts.info.batch_sizes[facts.info.num_batch_sizes - 1];
  if (options.max_frames == 0)
    options.max_frames = least + facts.longestChunk();
  constexpr int32_t kMaxWorkers = 1024, kMaxBatch = 4096;
  constexpr int32_t kMaxFrames = 1 << 20;
  const auto check = [&](const char *name, double value, double first,
                         double last) {
    if (value >= first && value <= last)
      return true;
    message = std::string("expects ") + name + " between " + toText(first) +
              " and " + toText(last) + ", but got " + toText(value);
    return false;
  };
  return check("num_workers", options.num_workers, 1, kMaxWorkers) &&
         check("max_batch", options.max_batch, 1, kMaxBatch) &&
         check("max_wait", options.max_wait, 0, 3600) &&
         check("max_frames", options.max_frames, least, kMaxFrames);
}

/// Returns the capacity of a stream's queue of outputs, such that a thread that
/// pushes up to max_frames frames and then polls cannot deadlock: the outputs
/// of a step that began before the poll, and of the chunks that free space for
/// the frames.
static int32_t countMaxOutputs(const nnet3sc_options &options,
                               const StreamFacts &facts) {
  // Callbacks take the outputs at once.
  if (options.on_result)
    return 1;
  const int32_t factor = facts.info.frame_subsampling_factor;
  return (options.max_frames + 2 * facts.longestChunk() + factor - 1) / factor;
}

Scheduler::Scheduler(const LibraryFunctions &functions,
                     const nnet3lib_model *model, StreamFacts facts,
                     const nnet3sc_options &options)
    : functions(functions), model(model), facts(std::move(facts)),
      options(options), maxOutputs(countMaxOutputs(options, this->facts)),
      maxWait(std::chrono::duration_cast<Time::duration>(
          std::chrono::duration<double>(options.max_wait))),
      ready(this->facts.info.num_chunks + 1),
      metrics(options.max_batch, Clock::now()) {}

std::unique_ptr<Scheduler> Scheduler::create(const LibraryFunctions &functions,
                                             const nnet3lib_model *model,
                                             const nnet3sc_options &given,
                                             nnet3sc_status &status,
                                             std::string &message) {
  StreamFacts facts;
  if (const nnet3lib_status error =
          StreamFacts::read(functions, model, facts)) {
    message = functions.error_text(error);
    status = NNET3SC_CANNOT_OPEN;
    return nullptr;
  }
  nnet3sc_options options = given;
  status = NNET3SC_INVALID_ARGUMENT;
  if (!complete(options, facts, message))
    return nullptr;
  std::unique_ptr<Scheduler> made(
      new Scheduler(functions, model, std::move(facts), options));
  status = made->start(message);
  return status == NNET3SC_OK ? std::move(made) : nullptr;
}

Scheduler::~Scheduler() {
  Hold hold(lock);
  isStopping = true;
  hasWork.notify_all();
  for (const auto &entry : streams)
    entry.second->changed.notify_all();
  hold.unlock();
  for (const std::unique_ptr<Worker> &worker : workers)
    if (worker->thread.joinable())
      worker->thread.join();
  hold.lock();
  hasNoneWaiting.wait(hold, [&] { return numWaiting == 0; });
}

//===----------------------------------------------------------------------===//
// Streams
//===----------------------------------------------------------------------===//

Scheduler::StreamPtr Scheduler::find(nnet3sc_stream number) const {
  const auto found = streams.find(number);
  return found == streams.end() || found->second->isCancelled ? nullptr
                                                              : found->second;
}

/// Updates the position of a stream in the list of ready streams, and notifies
/// a worker.
void Scheduler::refresh(ScheduledStream &stream) {
  int32_t kind = -1;
  if (!stream.isBusy && !stream.hasEnded && !isStopping) {
    kind = stream.frames.isFinished() ? endKind() : stream.frames.chooseChunk();
    if (kind >= 0 && kind < endKind() && !options.on_result &&
        stream.outputs.getRoom() < stream.frames.countOutputs(kind))
      kind = -1;
  }
  // The waiting time starts when the frames of the shortest chunk are there.
  // Closed streams do not wait for others.
  Time since = stream.frames.getReady(0);
  if (stream.frames.hasClosed())
    since -= maxWait;
  if (kind == stream.kind && (kind < 0 || since == stream.entry.since))
    return;
  if (stream.kind >= 0)
    stream.place = ready.remove(stream.kind, stream.entry);
  stream.kind = kind;
  if (kind < 0)
    return;
  stream.entry = {since, stream.number, &stream};
  ready.insert(kind, stream.entry, stream.place);
  hasWork.notify_one();
}

/// Removes a stream that no worker computes.
void Scheduler::remove(ScheduledStream &stream) {
  stream.hasEnded = true;
  refresh(stream);
  stream.changed.notify_all();
  streams.erase(stream.number);
}

nnet3sc_status Scheduler::open(nnet3sc_stream &number) {
  number = 0;
  auto stream = [&] {
    const Hold hold(lock);
    return ++numStreams;
  }();
  const auto made = std::make_shared<ScheduledStream>(
      stream, facts, options.max_frames, maxOutputs);
  if (!made->state.data())
    return NNET3SC_OUT_OF_MEMORY;
  functions.state_init(model, made->state.data(), facts.info.state_bytes);
  const Hold hold(lock);
  streams.emplace(stream, made);
  ++metrics.numOpened;
  number = stream;
  return NNET3SC_OK;
}

nnet3sc_status Scheduler::push(nnet3sc_stream number, const float *frames,
                               int32_t count, const float *ivector,
                               int32_t &numTaken) {
  numTaken = 0;
  Hold hold(lock);
  const StreamPtr stream = find(number);
  if (!stream)
    return NNET3SC_NO_SUCH_STREAM;
  if (facts.info.ivector_dim == 0)
    ivector = nullptr;
  else if (!ivector && !stream->frames.hasIvector())
    return NNET3SC_INVALID_ARGUMENT;
  while (true) {
    if (isStopping || (stream->frames.hasClosed() && !stream->hasEnded))
      return NNET3SC_CLOSED;
    if (stream->hasEnded)
      return stream->status == NNET3SC_OK ? NNET3SC_NO_SUCH_STREAM
                                          : stream->status;
    const int32_t some = std::min(count - numTaken, stream->frames.getRoom());
    if (some > 0) {
      stream->frames.push(frames + int64_t(numTaken) * facts.info.input_dim,
                          some, ivector, Clock::now());
      ivector = nullptr;
      numTaken += some;
      metrics.numFrames += static_cast<uint64_t>(some);
      refresh(*stream);
    }
    if (numTaken == count)
      return NNET3SC_OK;
    if (!options.push_waits || isInCallback())
      return NNET3SC_WOULD_BLOCK;
    ++numWaiting;
    stream->changed.wait(hold);
    if (--numWaiting == 0)
      hasNoneWaiting.notify_all();
  }
}

nnet3sc_status Scheduler::close(nnet3sc_stream number) {
  const Hold hold(lock);
  const StreamPtr stream = find(number);
  if (!stream || (stream->hasEnded && stream->frames.hasClosed()))
    return NNET3SC_NO_SUCH_STREAM;
  if (stream->frames.hasClosed())
    return NNET3SC_CLOSED;
  stream->frames.close();
  stream->changed.notify_all();
  refresh(*stream);
  return NNET3SC_OK;
}

nnet3sc_status Scheduler::cancel(nnet3sc_stream number) {
  const Hold hold(lock);
  const StreamPtr stream = find(number);
  if (!stream)
    return NNET3SC_NO_SUCH_STREAM;
  stream->isCancelled = true;
  // A stream whose last outputs wait for a poll has ended and been counted.
  if (!stream->hasEnded)
    ++metrics.numEnded;
  if (!stream->isBusy)
    remove(*stream);
  return NNET3SC_OK;
}

nnet3sc_status Scheduler::poll(nnet3sc_stream number, float *rows,
                               int32_t maxRows, double timeout,
                               int32_t &numRows) {
  numRows = 0;
  Hold hold(lock);
  const StreamPtr stream = find(number);
  if (!stream)
    return NNET3SC_NO_SUCH_STREAM;
  const auto isDone = [&] {
    return isStopping || stream->hasEnded || stream->isCancelled ||
           stream->outputs.size() > 0;
  };
  if (timeout > 0 && !isInCallback() && !isDone()) {
    ++numWaiting;
    stream->changed.wait_for(
        hold, std::chrono::duration<double>(std::min(timeout, 1e6)), isDone);
    if (--numWaiting == 0)
      hasNoneWaiting.notify_all();
  }
  if (stream->isCancelled)
    return NNET3SC_NO_SUCH_STREAM;
  numRows = std::min(maxRows, stream->outputs.size());
  if (numRows > 0) {
    stream->outputs.take(rows, numRows);
    refresh(*stream);
    return NNET3SC_OK;
  }
  if (stream->hasEnded && stream->outputs.size() == 0) {
    streams.erase(number);
    return stream->status == NNET3SC_OK ? NNET3SC_ENDED : stream->status;
  }
  return isStopping ? NNET3SC_CLOSED : NNET3SC_WOULD_BLOCK;
}

//===----------------------------------------------------------------------===//
// Queries
//===----------------------------------------------------------------------===//

void Scheduler::getInfo(nnet3sc_info &info) const {
  info.input_dim = facts.info.input_dim;
  info.ivector_dim = facts.info.ivector_dim;
  info.output_dim = facts.info.output_dim;
  info.frame_subsampling_factor = facts.info.frame_subsampling_factor;
  info.right_context = facts.info.right_context;
  info.shortest_chunk = facts.chunks.front().num_frames;
  info.longest_chunk = facts.longestChunk();
  info.max_batch = options.max_batch;
  info.max_frames = options.max_frames;
}

void Scheduler::getMetrics(nnet3sc_metrics &to) const {
  const Hold hold(lock);
  metrics.give(to, options.num_workers, Clock::now());
  to.num_streams = streams.size();
  to.num_ready = ready.size();
}

void Scheduler::resetMetrics() {
  const Hold hold(lock);
  metrics = SchedulerMetrics(options.max_batch, Clock::now());
}
