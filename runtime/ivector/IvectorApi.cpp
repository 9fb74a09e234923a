//===- IvectorApi.cpp - The C interface of i-vectors ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/runtime/nnet3_ivector.h"

#include "SpeakerState.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <memory>
#include <new>

using namespace nnet3::rt;

struct nnet3_ivector {
  IvectorModel model;
};

struct nnet3_ivector_stream {
  explicit nnet3_ivector_stream(const IvectorModel &model)
      : model(model), stream(model) {}

  const IvectorModel &model;
  IvectorStream stream;
};

uint32_t nnet3_ivector_abi_version(void) { return NNET3_IVECTOR_ABI_VERSION; }

const char *nnet3_ivector_error_text(nnet3_ivector_status status) {
  static const char *const kTexts[] = {
      "no error",
      "an argument is null or out of its range",
      "an option or a file is wrong",
      "out of memory",
      "the utterance has finished",
      "the bytes are no state of a speaker for this extractor"};
  const bool isKnown =
      status >= 0 && static_cast<size_t>(status) < std::size(kTexts);
  return isKnown ? kTexts[status] : "unknown status";
}

//===----------------------------------------------------------------------===//
// Extractors
//===----------------------------------------------------------------------===//

nnet3_ivector_status nnet3_ivector_create(const char *const *options,
                                          size_t num_options,
                                          nnet3_ivector **ivector,
                                          char *message, size_t message_size) {
  if (!ivector)
    return NNET3_IVECTOR_INVALID_ARGUMENT;
  *ivector = nullptr;
  if ((!options && num_options > 0) || (!message && message_size > 0))
    return NNET3_IVECTOR_INVALID_ARGUMENT;
  try {
    std::vector<std::string_view> arguments;
    for (size_t i = 0; i < num_options; ++i) {
      if (!options[i])
        return NNET3_IVECTOR_INVALID_ARGUMENT;
      arguments.emplace_back(options[i]);
    }
    auto made = std::make_unique<nnet3_ivector>();
    const std::string error = made->model.load(arguments);
    if (message_size > 0)
      std::snprintf(message, message_size, "%s", error.c_str());
    if (!error.empty())
      return NNET3_IVECTOR_INVALID_OPTION;
    *ivector = made.release();
    return NNET3_IVECTOR_OK;
  } catch (const std::bad_alloc &) {
    return NNET3_IVECTOR_OUT_OF_MEMORY;
  }
}

void nnet3_ivector_destroy(nnet3_ivector *ivector) { delete ivector; }

int32_t nnet3_ivector_dim(const nnet3_ivector *ivector) {
  return ivector->model.ivectorDim;
}

int32_t nnet3_ivector_feature_dim(const nnet3_ivector *ivector) {
  return ivector->model.featureDim;
}

int32_t nnet3_ivector_period(const nnet3_ivector *ivector) {
  return ivector->model.options.period;
}

int32_t nnet3_ivector_right_context(const nnet3_ivector *ivector) {
  return ivector->model.splice.rightContext;
}

double nnet3_ivector_prior_offset(const nnet3_ivector *ivector) {
  return ivector->model.priorOffset;
}

//===----------------------------------------------------------------------===//
// Streams
//===----------------------------------------------------------------------===//

nnet3_ivector_status nnet3_ivector_open(const nnet3_ivector *ivector,
                                        nnet3_ivector_stream **stream) {
  if (!stream)
    return NNET3_IVECTOR_INVALID_ARGUMENT;
  *stream = nullptr;
  if (!ivector)
    return NNET3_IVECTOR_INVALID_ARGUMENT;
  try {
    *stream = new nnet3_ivector_stream(ivector->model);
    return NNET3_IVECTOR_OK;
  } catch (const std::bad_alloc &) {
    return NNET3_IVECTOR_OUT_OF_MEMORY;
  }
}

void nnet3_ivector_close(nnet3_ivector_stream *stream) { delete stream; }

nnet3_ivector_status nnet3_ivector_push(nnet3_ivector_stream *stream,
                                        const float *rows, int64_t num_rows,
                                        int64_t row_stride, int64_t *num_used,
                                        float *ivectors, int64_t max_ivectors,
                                        int64_t *num_ivectors) {
  if (!num_used || !num_ivectors)
    return NNET3_IVECTOR_INVALID_ARGUMENT;
  *num_used = *num_ivectors = 0;
  if (!stream || num_rows < 0 || max_ivectors < 0 || (!rows && num_rows > 0) ||
      row_stride < stream->model.featureDim || (!ivectors && max_ivectors > 0))
    return NNET3_IVECTOR_INVALID_ARGUMENT;
  if (stream->stream.isFinished())
    return NNET3_IVECTOR_FINISHED;
  const auto count =
      static_cast<int32_t>(std::min<int64_t>(num_rows, INT32_MAX));
  *num_used =
      stream->stream.push({rows, count, stream->model.featureDim, row_stride},
                          ivectors, max_ivectors, *num_ivectors);
  return NNET3_IVECTOR_OK;
}

nnet3_ivector_status nnet3_ivector_finish(nnet3_ivector_stream *stream,
                                          float *ivectors, int64_t max_ivectors,
                                          int64_t *num_ivectors) {
  if (!num_ivectors)
    return NNET3_IVECTOR_INVALID_ARGUMENT;
  *num_ivectors = 0;
  if (!stream || max_ivectors < 0 || (!ivectors && max_ivectors > 0))
    return NNET3_IVECTOR_INVALID_ARGUMENT;
  *num_ivectors = stream->stream.finish(ivectors, max_ivectors);
  return NNET3_IVECTOR_OK;
}

nnet3_ivector_status nnet3_ivector_latest(nnet3_ivector_stream *stream,
                                          float *ivector) {
  if (!stream || !ivector)
    return NNET3_IVECTOR_INVALID_ARGUMENT;
  stream->stream.writeLatest(ivector);
  return NNET3_IVECTOR_OK;
}

nnet3_ivector_status nnet3_ivector_change_weights(nnet3_ivector_stream *stream,
                                                  int64_t first_frame,
                                                  const float *changes,
                                                  int64_t num_frames) {
  if (!stream || num_frames < 0 || (!changes && num_frames > 0) ||
      !stream->stream.changeWeights(first_frame, changes, num_frames))
    return NNET3_IVECTOR_INVALID_ARGUMENT;
  return NNET3_IVECTOR_OK;
}

nnet3_ivector_status nnet3_ivector_get_info(nnet3_ivector_stream *stream,
                                            nnet3_ivector_info *info) {
  if (!stream || !info || info->struct_size < sizeof(*info))
    return NNET3_IVECTOR_INVALID_ARGUMENT;
  info->num_frames = stream->stream.getNumFrames();
  info->count = stream->stream.getStatistics().count;
  info->improvement = stream->stream.computeImprovement();
  info->log_likelihood = stream->stream.getLogLikelihood();
  return NNET3_IVECTOR_OK;
}

nnet3_ivector_status
nnet3_ivector_next_utterance(nnet3_ivector_stream *stream) {
  if (!stream)
    return NNET3_IVECTOR_INVALID_ARGUMENT;
  stream->stream.beginUtterance();
  return NNET3_IVECTOR_OK;
}

nnet3_ivector_status nnet3_ivector_reset(nnet3_ivector_stream *stream) {
  if (!stream)
    return NNET3_IVECTOR_INVALID_ARGUMENT;
  stream->stream.beginSpeaker();
  return NNET3_IVECTOR_OK;
}

//===----------------------------------------------------------------------===//
// Speakers
//===----------------------------------------------------------------------===//

size_t nnet3_ivector_speaker_bytes(const nnet3_ivector *ivector) {
  return countSpeakerBytes(ivector->model);
}

nnet3_ivector_status
nnet3_ivector_get_speaker(const nnet3_ivector_stream *stream, void *bytes,
                          size_t size) {
  if (!stream || !bytes || stream->stream.getNumFrames() > 0 ||
      size < countSpeakerBytes(stream->model))
    return NNET3_IVECTOR_INVALID_ARGUMENT;
  writeSpeaker(stream->model, stream->stream, static_cast<char *>(bytes));
  return NNET3_IVECTOR_OK;
}

nnet3_ivector_status nnet3_ivector_set_speaker(nnet3_ivector_stream *stream,
                                               const void *bytes, size_t size) {
  if (!stream || !bytes)
    return NNET3_IVECTOR_INVALID_ARGUMENT;
  try {
    const std::string error =
        readSpeaker(stream->model, {static_cast<const char *>(bytes), size},
                    stream->stream);
    return error.empty() ? NNET3_IVECTOR_OK : NNET3_IVECTOR_WRONG_STATE;
  } catch (const std::bad_alloc &) {
    return NNET3_IVECTOR_OUT_OF_MEMORY;
  }
}
