//===- DecodableTest.cpp - Streams for Kaldi's decoders -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SmallStream.h"
#include "nnet3/runtime/nnet3_decodable.h"

#include <gtest/gtest.h>

using namespace nnet3::rt::test;

namespace {

/// The interface of Kaldi's decoders.
class DecodableInterface {
public:
  virtual float LogLikelihood(int32_t frame, int32_t index) = 0;
  virtual bool IsLastFrame(int32_t frame) const = 0;
  virtual int32_t NumFramesReady() const = 0;
  virtual int32_t NumIndices() const = 0;
  virtual ~DecodableInterface() = default;
};

NNET3_STREAM_LIBRARY(nnet3lib)
using Decodable = nnet3::StreamDecodable<nnet3lib_library, DecodableInterface>;

/// Reads what is ready, as decoders do.
void readReady(DecodableInterface &decodable, std::vector<float> &read) {
  while (static_cast<int32_t>(read.size()) < decodable.NumFramesReady()) {
    EXPECT_FALSE(decodable.IsLastFrame(static_cast<int32_t>(read.size()) - 1));
    read.push_back(
        decodable.LogLikelihood(static_cast<int32_t>(read.size()), 1));
  }
}

std::vector<float> makeFrames(int count) {
  std::vector<float> frames;
  for (int t = 0; t < count; ++t)
    frames.push_back(static_cast<float>(t * t % 17) - 4);
  return frames;
}

TEST(DecodableTest, GivesTheOutputsOfAStream) {
  SmallStream library;
  ASSERT_EQ(library.opened.status, NNET3LIB_OK) << library.opened.message;
  for (const int32_t chunkFrames : {0, 2, 4})
    for (const int count : {1, 2, 3, 4, 5, 7, 30}) {
      nnet3::DecodableOptions options;
      options.chunkFrames = chunkFrames;
      Decodable decodable(library.opened.model.get(), options);
      EXPECT_EQ(decodable.NumIndices(), 1);
      const std::vector<float> frames = makeFrames(count);
      // The second utterance is like the first.
      for (int utterance = 0; utterance < 2; ++utterance) {
        std::vector<float> read;
        for (const float &frame : frames) {
          decodable.acceptFrames(&frame, 1, 1);
          readReady(decodable, read);
        }
        EXPECT_LT(static_cast<int>(read.size()), count);
        decodable.finish();
        readReady(decodable, read);
        EXPECT_EQ(read, SmallStream::compute(frames));
        EXPECT_TRUE(decodable.IsLastFrame(count - 1));
        decodable.reset();
        EXPECT_EQ(decodable.NumFramesReady(), 0);
      }
    }
}

TEST(DecodableTest, ScalesAndMaps) {
  SmallStream library;
  nnet3::DecodableOptions options;
  options.acousticScale = 0.5f;
  options.priors = {0.25f};
  options.outputOfIndex = {0, 0, 0};
  Decodable decodable(library.opened.model.get(), options);
  EXPECT_EQ(decodable.NumIndices(), 2);
  const std::vector<float> frames = makeFrames(9);
  decodable.acceptFrames(frames.data(), 9, 1);
  decodable.finish();
  const std::vector<float> expected = SmallStream::compute(frames);
  for (int32_t t = 0; t < 9; ++t)
    for (const int32_t index : {1, 2})
      EXPECT_FLOAT_EQ(decodable.LogLikelihood(t, index),
                      0.5f * (expected[t] - std::log(0.25f)));
}

TEST(DecodableTest, ForgetsWhatWasRead) {
  SmallStream library;
  Decodable decodable(library.opened.model.get(), {});
  const std::vector<float> frames = makeFrames(40);
  decodable.acceptFrames(frames.data(), 20, 1);
  EXPECT_NO_THROW(decodable.LogLikelihood(10, 1));
  EXPECT_NO_THROW(decodable.LogLikelihood(0, 1));
  decodable.acceptFrames(frames.data() + 20, 20, 1);
  EXPECT_NO_THROW(decodable.LogLikelihood(10, 1));
  EXPECT_THROW(decodable.LogLikelihood(9, 1), std::runtime_error);
  EXPECT_THROW(decodable.LogLikelihood(40, 1), std::runtime_error);
  decodable.finish();
  EXPECT_THROW(decodable.acceptFrames(frames.data(), 1, 1), std::runtime_error);
}

TEST(DecodableTest, WrongOptions) {
  SmallStream library;
  const auto make = [&](const nnet3::DecodableOptions &options) {
    Decodable decodable(library.opened.model.get(), options);
  };
  nnet3::DecodableOptions options;
  options.chunkFrames = 3;
  EXPECT_THROW(make(options), std::runtime_error);
  options = {};
  options.priors = {0.5f, 0.5f};
  EXPECT_THROW(make(options), std::runtime_error);
  options = {};
  options.outputOfIndex = {0, 1};
  EXPECT_THROW(make(options), std::runtime_error);
}

} // namespace
