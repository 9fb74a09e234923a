//===- FeaturesApi.cpp - The C interface of features ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/runtime/nnet3_features.h"

#include "FeatureStream.h"

#include <cstdio>
#include <memory>
#include <new>

using namespace nnet3::rt;

struct nnet3_features {
  nnet3_features(const FeatureOptions &options, std::string &error)
      : tables(options, error) {}

  FrameTables tables;
};

struct nnet3_features_stream {
  explicit nnet3_features_stream(const FrameTables &tables) : stream(tables) {}

  FeatureStream stream;
};

uint32_t nnet3_features_abi_version(void) { return NNET3_FEATURES_ABI_VERSION; }

const char *nnet3_features_error_text(nnet3_features_status status) {
  static const char *const kTexts[] = {
      "no error", "an argument is null or out of its range",
      "there is no such option, or its value is out of range", "out of memory",
      "the stream has finished"};
  const bool isKnown =
      status >= 0 && static_cast<size_t>(status) < std::size(kTexts);
  return isKnown ? kTexts[status] : "unknown status";
}

/// Creates features. Returns an error message, or an empty string.
static std::string create(FeatureKind kind, std::string_view config,
                          std::unique_ptr<nnet3_features> &features) {
  FeatureOptions options(kind);
  std::string error = options.parse(config);
  if (error.empty())
    error = options.check();
  if (error.empty())
    features = std::make_unique<nnet3_features>(options, error);
  return error;
}

nnet3_features_status
nnet3_features_create(nnet3_features_kind kind, const char *config,
                      size_t config_size, nnet3_features **features,
                      char *message, size_t message_size) {
  if (!features)
    return NNET3_FEATURES_INVALID_ARGUMENT;
  *features = nullptr;
  if ((kind != NNET3_FEATURES_MFCC && kind != NNET3_FEATURES_FBANK) ||
      (!config && config_size > 0) || (!message && message_size > 0))
    return NNET3_FEATURES_INVALID_ARGUMENT;
  try {
    std::unique_ptr<nnet3_features> made;
    const std::string error = create(
        kind == NNET3_FEATURES_MFCC ? FeatureKind::Mfcc : FeatureKind::Fbank,
        {config, config_size}, made);
    if (message_size > 0)
      std::snprintf(message, message_size, "%s", error.c_str());
    if (!error.empty())
      return NNET3_FEATURES_INVALID_OPTION;
    *features = made.release();
    return NNET3_FEATURES_OK;
  } catch (const std::bad_alloc &) {
    return NNET3_FEATURES_OUT_OF_MEMORY;
  }
}

void nnet3_features_destroy(nnet3_features *features) { delete features; }

int32_t nnet3_features_dim(const nnet3_features *features) {
  return features->tables.options.getDim();
}

float nnet3_features_sample_frequency(const nnet3_features *features) {
  return features->tables.options.sampleFrequency;
}

int32_t nnet3_features_frame_shift(const nnet3_features *features) {
  return features->tables.options.getShiftSamples();
}

int64_t nnet3_features_num_rows(const nnet3_features *features,
                                int64_t num_samples) {
  return features->tables.frames.count(num_samples);
}

nnet3_features_status nnet3_features_open(const nnet3_features *features,
                                          nnet3_features_stream **stream) {
  if (!stream)
    return NNET3_FEATURES_INVALID_ARGUMENT;
  *stream = nullptr;
  if (!features)
    return NNET3_FEATURES_INVALID_ARGUMENT;
  try {
    *stream = new nnet3_features_stream(features->tables);
    return NNET3_FEATURES_OK;
  } catch (const std::bad_alloc &) {
    return NNET3_FEATURES_OUT_OF_MEMORY;
  }
}

void nnet3_features_close(nnet3_features_stream *stream) { delete stream; }

nnet3_features_status nnet3_features_push(nnet3_features_stream *stream,
                                          const float *samples,
                                          int64_t num_samples,
                                          int64_t *num_used, float *rows,
                                          int64_t max_rows, int64_t *num_rows) {
  if (!num_used || !num_rows)
    return NNET3_FEATURES_INVALID_ARGUMENT;
  *num_used = *num_rows = 0;
  if (!stream || num_samples < 0 || max_rows < 0 ||
      (!samples && num_samples > 0) || (!rows && max_rows > 0))
    return NNET3_FEATURES_INVALID_ARGUMENT;
  if (stream->stream.isFinished())
    return NNET3_FEATURES_FINISHED;
  *num_used =
      stream->stream.push(samples, num_samples, rows, max_rows, *num_rows);
  return NNET3_FEATURES_OK;
}

nnet3_features_status nnet3_features_finish(nnet3_features_stream *stream,
                                            float *rows, int64_t max_rows,
                                            int64_t *num_rows) {
  if (!num_rows)
    return NNET3_FEATURES_INVALID_ARGUMENT;
  *num_rows = 0;
  if (!stream || max_rows < 0 || (!rows && max_rows > 0))
    return NNET3_FEATURES_INVALID_ARGUMENT;
  *num_rows = stream->stream.finish(rows, max_rows);
  return NNET3_FEATURES_OK;
}

nnet3_features_status nnet3_features_reset(nnet3_features_stream *stream) {
  if (!stream)
    return NNET3_FEATURES_INVALID_ARGUMENT;
  stream->stream.reset();
  return NNET3_FEATURES_OK;
}
