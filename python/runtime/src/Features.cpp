//===- Features.cpp - Features of speech in Python ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Bindings.h"
#include "nnet3/runtime/nnet3_features.h"

#include <nanobind/stl/string.h>

#include <algorithm>
#include <memory>

using namespace nanobind::literals;
namespace nb = nanobind;

namespace nnet3::python {

static void check(nnet3_features_status status, const char *message = "") {
  if (status != NNET3_FEATURES_OK)
    throw Error(*message ? message : nnet3_features_error_text(status));
}

namespace {
/// The tables of features. Streams share them.
struct Features {
  std::shared_ptr<nnet3_features> tables;

  int32_t dim() const { return nnet3_features_dim(tables.get()); }
};

class FeatureStream {
public:
  explicit FeatureStream(const Features &features) : features(features) {
    check(nnet3_features_open(features.tables.get(), &stream));
  }
  ~FeatureStream() { nnet3_features_close(stream); }
  FeatureStream(const FeatureStream &) = delete;
  FeatureStream &operator=(const FeatureStream &) = delete;

  OutputMatrix push(const InputVector &samples);
  OutputMatrix finish();
  void reset() { check(nnet3_features_reset(stream)); }

private:
  Features features;
  nnet3_features_stream *stream = nullptr;
};
} // namespace

static Features createFeatures(bool isMfcc, const std::string &config) {
  char message[512] = "";
  nnet3_features *features = nullptr;
  check(nnet3_features_create(
            isMfcc ? NNET3_FEATURES_MFCC : NNET3_FEATURES_FBANK, config.data(),
            config.size(), &features, message, sizeof(message)),
        message);
  return {{features, nnet3_features_destroy}};
}

/// Copies the first \p rows rows of a buffer to a matrix.
static OutputMatrix copyRows(const std::vector<float> &buffer, size_t rows,
                             size_t cols) {
  OutputMatrix result = makeMatrix<float>(rows, cols);
  std::copy_n(buffer.begin(), rows * cols, result.data());
  return result;
}

OutputMatrix FeatureStream::push(const InputVector &samples) {
  const auto count = static_cast<int64_t>(samples.shape(0));
  const int32_t dim = features.dim();
  // Plus one frame that samples of earlier calls have begun.
  const int64_t room =
      count / nnet3_features_frame_shift(features.tables.get()) + 1;
  std::vector<float> buffer;
  int64_t numUsed = 0, total = 0;
  nnet3_features_status status = NNET3_FEATURES_OK;
  {
    nb::gil_scoped_release release;
    while (status == NNET3_FEATURES_OK && numUsed < count) {
      buffer.resize((total + room) * dim);
      int64_t used = 0, rows = 0;
      status =
          nnet3_features_push(stream, samples.data() + numUsed, count - numUsed,
                              &used, buffer.data() + total * dim, room, &rows);
      numUsed += used;
      total += rows;
    }
  }
  check(status);
  return copyRows(buffer, total, dim);
}

OutputMatrix FeatureStream::finish() {
  constexpr int64_t kRows = 8;
  const int32_t dim = features.dim();
  std::vector<float> buffer;
  int64_t total = 0, rows = kRows;
  while (rows == kRows) {
    buffer.resize((total + kRows) * dim);
    check(nnet3_features_finish(stream, buffer.data() + total * dim, kRows,
                                &rows));
    total += rows;
  }
  return copyRows(buffer, total, dim);
}

void bindFeatures(nb::module_ &module) {
  nb::class_<Features>(module, "Features")
      .def_static("create", createFeatures, "is_mfcc"_a, "config"_a)
      .def_prop_ro("dim", &Features::dim)
      .def_prop_ro("sample_frequency",
                   [](const Features &self) {
                     return nnet3_features_sample_frequency(self.tables.get());
                   })
      .def_prop_ro("frame_shift",
                   [](const Features &self) {
                     return nnet3_features_frame_shift(self.tables.get());
                   })
      .def(
          "num_rows",
          [](const Features &self, int64_t numSamples) {
            return nnet3_features_num_rows(self.tables.get(), numSamples);
          },
          "num_samples"_a);
  nb::class_<FeatureStream>(module, "FeatureStream")
      .def(nb::init<const Features &>(), "features"_a)
      .def("push", &FeatureStream::push, "samples"_a)
      .def("finish", &FeatureStream::finish)
      .def("reset", &FeatureStream::reset);
}

} // namespace nnet3::python
