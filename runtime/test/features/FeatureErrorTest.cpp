//===- FeatureErrorTest.cpp - Options and calls that are wrong ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FeatureTesting.h"

#include <gtest/gtest.h>

extern "C" int nnet3_use_features_header(void);

namespace {

std::string getMessage(nnet3_features_kind kind, const std::string &config) {
  nnet3_features *features = nullptr;
  char message[200] = "";
  EXPECT_EQ(nnet3_features_create(kind, config.data(), config.size(), &features,
                                  message, sizeof(message)),
            NNET3_FEATURES_INVALID_OPTION)
      << config;
  EXPECT_EQ(features, nullptr);
  return message;
}

constexpr nnet3_features_kind kMfcc = NNET3_FEATURES_MFCC;
constexpr nnet3_features_kind kFbank = NNET3_FEATURES_FBANK;

TEST(FeatureErrorTest, ConfigurationsAreRead) {
  const auto features = nnet3::rt::test::makeFeatures(
      kMfcc, "# comment\n\n  --use_energy=false # C0\r\n--num-ceps=20\n"
             "--allow-downsample=true\n--frame-shift=+5");
  EXPECT_EQ(nnet3_features_dim(features.get()), 20);
  EXPECT_EQ(nnet3_features_frame_shift(features.get()), 80);
  EXPECT_EQ(nnet3_features_sample_frequency(features.get()), 16000);
}

TEST(FeatureErrorTest, WrongLines) {
  EXPECT_EQ(getMessage(kMfcc, "--num-ceps=5\n  num-ceps=4"),
            "2:3: expects '--NAME=VALUE'");
  EXPECT_EQ(getMessage(kMfcc, "--use-power=true"),
            "1:1: there is no option --use-power of MFCC features");
  EXPECT_EQ(getMessage(kFbank, "--num-ceps=3"),
            "1:1: there is no option --num-ceps of fbank features");
  EXPECT_EQ(getMessage(kMfcc, "--num-ceps=3x"),
            "1:1: --num-ceps expects an integer, not '3x'");
  EXPECT_EQ(getMessage(kMfcc, "--num-ceps=99999999999"),
            "1:1: --num-ceps expects an integer, not '99999999999'");
  EXPECT_EQ(getMessage(kMfcc, "--dither=inf"),
            "1:1: --dither expects a finite number, not 'inf'");
  EXPECT_EQ(getMessage(kMfcc, "--snip-edges=no"),
            "1:1: --snip-edges expects true or false, not 'no'");
  EXPECT_EQ(getMessage(kMfcc, "--window-type=kaiser"),
            "1:1: --window-type expects povey, hamming, hanning, rectangular, "
            "sine or blackman, not 'kaiser'");
}

TEST(FeatureErrorTest, ValuesOutOfRange) {
  const char *const kWrong[] = {
      "--sample-frequency=0",
      "--sample-frequency=1e9",
      "--frame-length=0",
      "--frame-length=1e9",
      "--frame-shift=-1",
      "--frame-shift=0.01",
      "--dither=-1",
      "--num-mel-bins=2",
      "--num-mel-bins=5000",
      "--low-freq=-1",
      "--low-freq=8000",
      "--high-freq=10",
      "--high-freq=8001",
      "--high-freq=-9000",
      "--num-ceps=0",
      "--num-ceps=24",
      "--energy-floor=-1",
      "--vtln-warp=0",
      "--num-mel-bins=1000",
      "--preemphasis-coefficient=2",
      "--vtln-warp=1.1\n--vtln-low=10",
      "--vtln-warp=1.1\n--vtln-high=50",
      "--frame-length=25.07\n--round-to-power-of-two=false"};
  for (const char *config : kWrong)
    EXPECT_FALSE(getMessage(kMfcc, config).empty());
  EXPECT_EQ(getMessage(kMfcc, "--num-ceps=24"),
            "--num-ceps expects 1 to --num-mel-bins, not 24");
}

TEST(FeatureErrorTest, WrongCalls) {
  EXPECT_TRUE(nnet3_use_features_header());
  nnet3_features *none = nullptr;
  EXPECT_EQ(nnet3_features_create(2, nullptr, 0, &none, nullptr, 0),
            NNET3_FEATURES_INVALID_ARGUMENT);
  EXPECT_EQ(nnet3_features_create(kMfcc, nullptr, 1, &none, nullptr, 0),
            NNET3_FEATURES_INVALID_ARGUMENT);
  EXPECT_EQ(nnet3_features_create(kMfcc, nullptr, 0, nullptr, nullptr, 0),
            NNET3_FEATURES_INVALID_ARGUMENT);
  nnet3_features_stream *closed = nullptr;
  EXPECT_EQ(nnet3_features_open(nullptr, &closed),
            NNET3_FEATURES_INVALID_ARGUMENT);
  const auto features = nnet3::rt::test::makeFeatures(kMfcc, "");
  const auto stream = nnet3::rt::test::openStream(features);
  int64_t used = 1, numRows = 1;
  EXPECT_EQ(nnet3_features_push(stream.get(), nullptr, 1, &used, nullptr, 0,
                                &numRows),
            NNET3_FEATURES_INVALID_ARGUMENT);
  EXPECT_EQ(used, 0);
  EXPECT_EQ(nnet3_features_finish(stream.get(), nullptr, 1, &numRows),
            NNET3_FEATURES_INVALID_ARGUMENT);
  EXPECT_EQ(nnet3_features_finish(stream.get(), nullptr, 0, &numRows),
            NNET3_FEATURES_OK);
  EXPECT_EQ(nnet3_features_push(stream.get(), nullptr, 0, &used, nullptr, 0,
                                &numRows),
            NNET3_FEATURES_FINISHED);
  EXPECT_EQ(nnet3_features_reset(nullptr), NNET3_FEATURES_INVALID_ARGUMENT);
  EXPECT_STREQ(nnet3_features_error_text(NNET3_FEATURES_FINISHED),
               "the stream has finished");
  EXPECT_STREQ(nnet3_features_error_text(-1), "unknown status");
}

} // namespace
