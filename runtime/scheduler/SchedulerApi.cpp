//===- SchedulerApi.cpp - The C interface of schedulers -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Only the functions of the header are exported.
#pragma GCC visibility push(default)
#include "nnet3/runtime/nnet3_scheduler.h"
#pragma GCC visibility pop

#include "SchedulerApi.h"
#include "runner/library/LibraryModel.h"

#include <cstdio>
#include <cstring>
#include <new>

using namespace nnet3::rt;

uint32_t nnet3sc_abi_version(void) { return NNET3SC_ABI_VERSION; }

const char *nnet3sc_error_text(nnet3sc_status status) {
  static const char *const kTexts[] = {
      "no error",
      "an argument is null, missing, out of its range or without struct_size",
      "there is no such stream, or it has ended",
      "there is no room for all frames, or there are no outputs yet",
      "the stream takes no more frames",
      "the stream has ended",
      "a step of the stream failed",
      "the library cannot be loaded, or it computes no streams",
      "out of memory",
      "the system has not so many threads"};
  const bool isKnown =
      status >= 0 && static_cast<size_t>(status) < std::size(kTexts);
  return isKnown ? kTexts[status] : "unknown status";
}

//===----------------------------------------------------------------------===//
// Making schedulers
//===----------------------------------------------------------------------===//

static void tell(const nnet3sc_options *options, const std::string &text) {
  if (options && options->message && options->message_size > 0)
    std::snprintf(options->message, options->message_size, "%s", text.c_str());
}

static nnet3sc_status checkOptions(const nnet3sc_options *options,
                                   nnet3sc_scheduler **scheduler) {
  if (!scheduler)
    return NNET3SC_INVALID_ARGUMENT;
  *scheduler = nullptr;
  return options && options->struct_size < sizeof(*options)
             ? NNET3SC_INVALID_ARGUMENT
             : NNET3SC_OK;
}

nnet3sc_status nnet3::rt::createScheduler(const LibraryFunctions &functions,
                                          const nnet3lib_model *model,
                                          std::shared_ptr<void> library,
                                          const nnet3sc_options *options,
                                          nnet3sc_scheduler **scheduler) {
  if (const nnet3sc_status status = checkOptions(options, scheduler))
    return status;
  tell(options, "");
  try {
    auto made = std::make_unique<nnet3sc_scheduler>();
    nnet3sc_status status = NNET3SC_OK;
    std::string message;
    made->library = std::move(library);
    made->scheduler = Scheduler::create(functions, model,
                                        options ? *options : nnet3sc_options(),
                                        status, message);
    tell(options, message);
    if (status == NNET3SC_OK)
      *scheduler = made.release();
    return status;
  } catch (const std::bad_alloc &) {
    tell(options, nnet3sc_error_text(NNET3SC_OUT_OF_MEMORY));
    return NNET3SC_OUT_OF_MEMORY;
  }
}

nnet3sc_status nnet3sc_create(const char *path, const char *prefix,
                              const char *weightsPath,
                              const nnet3sc_options *options,
                              nnet3sc_scheduler **scheduler) {
  if (const nnet3sc_status status = checkOptions(options, scheduler))
    return status;
  if (!path || !prefix)
    return NNET3SC_INVALID_ARGUMENT;
  try {
    auto code = SharedObject::openFile(path);
    if (!code.ok()) {
      tell(options, code.status().message());
      return NNET3SC_CANNOT_OPEN;
    }
    nnet3lib_status status = NNET3LIB_OK;
    auto opened = LibraryModel::open(std::move(*code), prefix,
                                     weightsPath ? weightsPath : "", status);
    if (!opened.ok()) {
      tell(options, opened.status().message());
      return NNET3SC_CANNOT_OPEN;
    }
    const std::shared_ptr<LibraryModel> library = std::move(*opened);
    return createScheduler(library->getFunctions(), library->get(), library,
                           options, scheduler);
  } catch (const std::bad_alloc &) {
    return NNET3SC_OUT_OF_MEMORY;
  }
}

void nnet3sc_destroy(nnet3sc_scheduler *scheduler) { delete scheduler; }

//===----------------------------------------------------------------------===//
// Streams
//===----------------------------------------------------------------------===//

nnet3sc_status nnet3sc_open(nnet3sc_scheduler *scheduler,
                            nnet3sc_stream *stream) {
  if (!scheduler || !stream)
    return NNET3SC_INVALID_ARGUMENT;
  try {
    return scheduler->scheduler->open(*stream);
  } catch (const std::bad_alloc &) {
    return NNET3SC_OUT_OF_MEMORY;
  }
}

nnet3sc_status nnet3sc_push(nnet3sc_scheduler *scheduler, nnet3sc_stream stream,
                            const float *frames, int32_t numFrames,
                            const float *ivector, int32_t *numTaken) {
  int32_t taken = 0;
  if (numTaken)
    *numTaken = 0;
  if (!scheduler || numFrames < 0 || (!frames && numFrames > 0))
    return NNET3SC_INVALID_ARGUMENT;
  try {
    const nnet3sc_status status =
        scheduler->scheduler->push(stream, frames, numFrames, ivector, taken);
    if (numTaken)
      *numTaken = taken;
    return status;
  } catch (const std::bad_alloc &) {
    return NNET3SC_OUT_OF_MEMORY;
  }
}

nnet3sc_status nnet3sc_close(nnet3sc_scheduler *scheduler,
                             nnet3sc_stream stream) {
  return scheduler ? scheduler->scheduler->close(stream)
                   : NNET3SC_INVALID_ARGUMENT;
}

nnet3sc_status nnet3sc_cancel(nnet3sc_scheduler *scheduler,
                              nnet3sc_stream stream) {
  return scheduler ? scheduler->scheduler->cancel(stream)
                   : NNET3SC_INVALID_ARGUMENT;
}

nnet3sc_status nnet3sc_poll(nnet3sc_scheduler *scheduler, nnet3sc_stream stream,
                            float *rows, int32_t maxRows, double timeout,
                            int32_t *numRows) {
  if (numRows)
    *numRows = 0;
  if (!scheduler || !rows || !numRows || maxRows <= 0 || !(timeout >= 0))
    return NNET3SC_INVALID_ARGUMENT;
  return scheduler->scheduler->poll(stream, rows, maxRows, timeout, *numRows);
}

//===----------------------------------------------------------------------===//
// Queries
//===----------------------------------------------------------------------===//

nnet3sc_status nnet3sc_get_info(const nnet3sc_scheduler *scheduler,
                                nnet3sc_info *info) {
  if (!scheduler || !info || info->struct_size < sizeof(*info))
    return NNET3SC_INVALID_ARGUMENT;
  scheduler->scheduler->getInfo(*info);
  return NNET3SC_OK;
}

nnet3sc_status nnet3sc_get_metrics(const nnet3sc_scheduler *scheduler,
                                   nnet3sc_metrics *metrics) {
  if (!scheduler || !metrics || metrics->struct_size < sizeof(*metrics) ||
      metrics->num_batch_sizes < 0)
    return NNET3SC_INVALID_ARGUMENT;
  scheduler->scheduler->getMetrics(*metrics);
  return NNET3SC_OK;
}

nnet3sc_status nnet3sc_reset_metrics(nnet3sc_scheduler *scheduler) {
  if (!scheduler)
    return NNET3SC_INVALID_ARGUMENT;
  scheduler->scheduler->resetMetrics();
  return NNET3SC_OK;
}
