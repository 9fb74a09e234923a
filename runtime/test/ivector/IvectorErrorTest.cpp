//===- IvectorErrorTest.cpp - Options and calls that are wrong ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "IvectorTesting.h"

#include <gtest/gtest.h>

using namespace nnet3::rt::test;

extern "C" int nnet3_use_ivector_header(void);

namespace {

TEST(IvectorErrorTest, WrongOptions) {
  const TestExtractor extractor;
  const auto getErrorOf = [&](const std::string &option) {
    return getError(extractor.getOptions({option}));
  };
  EXPECT_EQ(getErrorOf("--num-cg-iters=5"),
            "there is no option --num-cg-iters here");
  EXPECT_EQ(getErrorOf("min-post=0"), "expects '--NAME=VALUE'");
  EXPECT_EQ(getErrorOf("--min-post=0.5"),
            "--min-post expects 0 to below 0.5, not 0.5");
  EXPECT_EQ(getErrorOf("--repeat=maybe"),
            "--repeat expects true or false, not 'maybe'");
  EXPECT_EQ(getErrorOf("--diag-ubm="), "expects a file for --diag-ubm");
  for (const char *option :
       {"--ivector-period=0", "--num-gselect=0", "--posterior-scale=0",
        "--posterior-scale=2", "--max-count=-1", "--max-remembered-frames=-1",
        "--ivector-period=100000"})
    EXPECT_NE(getErrorOf(option), "") << option;
}

TEST(IvectorErrorTest, ArgumentsWinOverFiles) {
  const TestExtractor extractor;
  extractor.write("ivector.conf", "--ivector-period=5\n--num_gselect=3\n");
  const std::string config = "--config=" + extractor.getPath("ivector.conf");
  EXPECT_EQ(
      nnet3_ivector_period(makeIvector(extractor.getOptions({config})).get()),
      5);
  EXPECT_EQ(
      nnet3_ivector_period(
          makeIvector(extractor.getOptions({"--ivector-period=7", config}))
              .get()),
      7);
  extractor.write("ivector.conf", "--period=5\n");
  EXPECT_EQ(getError(extractor.getOptions({config})),
            extractor.getPath("ivector.conf") +
                ":1:1: there is no option --period here");
}

TEST(IvectorErrorTest, WrongCalls) {
  EXPECT_TRUE(nnet3_use_ivector_header());
  const TestExtractor extractor;
  nnet3_ivector *none = nullptr;
  EXPECT_EQ(nnet3_ivector_create(nullptr, 1, &none, nullptr, 0),
            NNET3_IVECTOR_INVALID_ARGUMENT);
  EXPECT_EQ(nnet3_ivector_create(nullptr, 0, nullptr, nullptr, 0),
            NNET3_IVECTOR_INVALID_ARGUMENT);
  EXPECT_EQ(nnet3_ivector_create(nullptr, 0, &none, nullptr, 0),
            NNET3_IVECTOR_INVALID_OPTION);
  const IvectorPtr ivector = makeIvector(extractor.getOptions({}));
  const IvectorStreamPtr stream = openStream(ivector);
  EXPECT_EQ(nnet3_ivector_prior_offset(ivector.get()), TestExtractor::kOffset);
  EXPECT_EQ(nnet3_ivector_feature_dim(ivector.get()), TestExtractor::kFeatures);
  int64_t used = 1, written = 1;
  EXPECT_EQ(nnet3_ivector_push(stream.get(), nullptr, 1, 3, &used, nullptr, 0,
                               &written),
            NNET3_IVECTOR_INVALID_ARGUMENT);
  EXPECT_EQ(used, 0);
  const float row[3] = {};
  EXPECT_EQ(
      nnet3_ivector_push(stream.get(), row, 1, 2, &used, nullptr, 0, &written),
      NNET3_IVECTOR_INVALID_ARGUMENT);
  EXPECT_EQ(nnet3_ivector_finish(stream.get(), nullptr, 1, &written),
            NNET3_IVECTOR_INVALID_ARGUMENT);
  EXPECT_EQ(nnet3_ivector_finish(stream.get(), nullptr, 0, &written),
            NNET3_IVECTOR_OK);
  EXPECT_EQ(
      nnet3_ivector_push(stream.get(), row, 1, 3, &used, nullptr, 0, &written),
      NNET3_IVECTOR_FINISHED);
  EXPECT_EQ(nnet3_ivector_reset(nullptr), NNET3_IVECTOR_INVALID_ARGUMENT);
  EXPECT_STREQ(nnet3_ivector_error_text(NNET3_IVECTOR_FINISHED),
               "the utterance has finished");
  EXPECT_STREQ(nnet3_ivector_error_text(-1), "unknown status");
}

} // namespace
