//===- IvectorAccuracyTest.cpp - i-vectors as they are defined ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options against i-vectors that are computed another way. What Kaldi's program
// gives is in test/Inputs/ivectors.
//
//===----------------------------------------------------------------------===//

#include "DirectIvectors.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace nnet3::rt;
using namespace nnet3::rt::test;

namespace {

struct Case {
  std::vector<std::string> options;
  const char *cmvn = "";
};

class IvectorAccuracyTest : public testing::TestWithParam<Case> {};

std::vector<std::string_view>
getViews(const std::vector<std::string> &options) {
  return {options.begin(), options.end()};
}

void expectNear(const std::vector<float> &found,
                const std::vector<double> &expected) {
  ASSERT_EQ(found.size(), expected.size());
  double worst = 0;
  for (size_t i = 0; i < found.size(); ++i)
    worst = std::max(worst, std::fabs(found[i] - expected[i]) /
                                (1 + std::fabs(expected[i])));
  EXPECT_LT(worst, 1e-5);
}

TEST_P(IvectorAccuracyTest, EqualsTheDefinition) {
  const TestExtractor extractor(GetParam().cmvn);
  std::vector<std::string> options =
      extractor.getOptions({"--use-most-recent-ivector=false"});
  options.insert(options.end(), GetParam().options.begin(),
                 GetParam().options.end());
  IvectorOptions parsed;
  CmvnOptions cmvn;
  ASSERT_EQ(parsed.parse(getViews(options)), "");
  ASSERT_EQ(cmvn.parse(GetParam().cmvn), "");
  const IvectorPtr ivector = makeIvector(options);
  ASSERT_TRUE(ivector);
  const IvectorStreamPtr stream = openStream(ivector);
  DirectIvectors direct(extractor, parsed, cmvn);
  for (int64_t numFrames : {1, 25, 70, 3}) {
    const std::vector<float> frames =
        makeFrames(numFrames, static_cast<unsigned>(numFrames));
    expectNear(computeAll(ivector, stream.get(), frames),
               direct.compute(frames));
    EXPECT_EQ(nnet3_ivector_next_utterance(stream.get()), NNET3_IVECTOR_OK);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Options, IvectorAccuracyTest,
    testing::Values(
        Case{{}}, Case{{"--exact-solve=true"}},
        Case{{"--ivector-period=3", "--num-gselect=2"}},
        Case{{"--min-post=0.3"}}, Case{{"--min-post=0", "--num-gselect=7"}},
        Case{{"--posterior-scale=1", "--max-count=5"}},
        Case{{"--posterior-scale=1", "--max-count=5",
              "--max-remembered-frames=20"}},
        Case{{"--max-remembered-frames=20"}},
        Case{{"--max-remembered-frames=0"}},
        Case{{"--ivector-period=40", "--online-cmvn-iextractor=true"}},
        Case{{}, "--cmn-window=20\n--speaker-frames=15\n--global-frames=10"},
        Case{{}, "--norm-vars=true\n--skip-dims=1"},
        Case{{}, "--norm-means=false"}));

} // namespace
