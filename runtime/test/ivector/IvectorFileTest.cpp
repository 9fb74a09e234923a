//===- IvectorFileTest.cpp - Files of extractors that are wrong -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "IvectorTesting.h"
#include "ivector/KaldiFile.h"

#include <cstring>
#include <gtest/gtest.h>

using namespace nnet3::rt;
using namespace nnet3::rt::test;

namespace {

/// Returns the error if \p file has this content, with its name as "FILE".
std::string getErrorOf(const std::string &file, const std::string &content) {
  const TestExtractor extractor;
  extractor.write(file, content);
  std::string error = getError(extractor.getOptions({}));
  const std::string path = extractor.getPath(file);
  for (size_t at = 0; (at = error.find(path)) != std::string::npos;)
    error.replace(at, path.size(), "FILE");
  return error;
}

TEST(IvectorFileTest, WrongConfigurations) {
  EXPECT_EQ(getErrorOf("splice.conf", "\n--left=1"),
            "FILE:2:1: there is no option --left here");
  EXPECT_EQ(getErrorOf("splice.conf", "--left-context=-1"),
            "FILE: --left-context expects 0 to 1000, not -1");
  EXPECT_EQ(getErrorOf("cmvn.conf", "--cmn-window=x"),
            "FILE:1:1: --cmn-window expects an integer, not 'x'");
  EXPECT_EQ(getErrorOf("cmvn.conf", "--cmn-window=5"),
            "FILE: --speaker-frames expects 0 to --cmn-window, not 600");
  EXPECT_EQ(getErrorOf("cmvn.conf", "--norm-means=false\n--norm-vars=true"),
            "FILE: --norm-vars=true expects --norm-means=true");
  EXPECT_EQ(getErrorOf("cmvn.conf", "--skip-dims=1:a"),
            "FILE: --skip-dims expects numbers with ':' between, not '1:a'");
}

TEST(IvectorFileTest, WrongDimensions) {
  EXPECT_EQ(getErrorOf("cmvn.stats", " [\n  1 2 3 4 ]\n"),
            "FILE:1:2: expects statistics of 2 rows and at least 2 columns, "
            "but got 1 x 4");
  EXPECT_EQ(getErrorOf("cmvn.stats", " [\n 1 2 3 0\n 1 2 3 0 ]\n"),
            "FILE:1:2: expects a count of frames above 0, but got 0.000000");
  EXPECT_EQ(getErrorOf("final.mat", " [\n 1 2\n 3 4 ]\n"),
            "FILE:1:2: expects a transform of 12 or 13 columns, for 4 frames "
            "of 3 features, but got 2 x 2");
  EXPECT_EQ(getErrorOf("final.mat", " [\n 1 2\n 3 ]\n"),
            "FILE:1:2: expects rows of equal length, but got 3 numbers in 2 "
            "rows");
  EXPECT_EQ(getErrorOf("final.dubm",
                       "<DiagGMM> <WEIGHTS> [ 1 ]\n<MEANS_INVVARS> [\n1 2 ]\n"
                       "<INV_VARS> [\n1 2 ]\n</DiagGMM>"),
            "FILE:2:17: expects means of 1 x 5, for the weights and the rows "
            "of the transform, but got 1 x 2");
  EXPECT_EQ(getErrorOf("final.ie", "<IvectorExtractor> <w> [\n1 2 ]\n"),
            "FILE:1:24: expects an extractor whose weights do not depend on "
            "the i-vector, but got <w> with 1 x 2");
  EXPECT_EQ(getErrorOf("final.ie",
                       "<IvectorExtractor> <w> [ ]\n<w_vec> [ 1 ]\n<M> 2 "),
            "FILE:3:5: expects an extractor for 7 Gaussians, as the mixture "
            "has, but got 2");
}

TEST(IvectorFileTest, WrongContents) {
  EXPECT_EQ(getErrorOf("final.mat", " [\n 1 nan ]\n"),
            "FILE:1:2: expects a transform of finite numbers");
  EXPECT_EQ(getErrorOf("final.mat", "<DiagGMM>"),
            "FILE:1:1: expects '[', but got '<DiagGMM>'");
  EXPECT_EQ(getErrorOf("final.dubm", "[ ]"),
            "FILE:1:1: expects '<DiagGMM>', but got '['");
  EXPECT_EQ(getErrorOf("final.mat", " [\n 1 2 x ]\n"),
            "FILE:2:6: expects a number, but got 'x'");
  EXPECT_EQ(getErrorOf("final.mat", " [\n 1 2"),
            "FILE:2:5: expects a number, but got the end of the file");
  EXPECT_EQ(getErrorOf("final.ie", ""),
            "FILE: cannot map 'FILE': the file is empty");
}

/// A binary matrix of the given dims, with two numbers.
std::string makeBinary(int32_t rows, int32_t cols) {
  std::string bytes("\0BFM \4RRRR\4CCCC", 15);
  std::memcpy(&bytes[6], &rows, 4);
  std::memcpy(&bytes[11], &cols, 4);
  return bytes + std::string(8, '\0');
}

TEST(IvectorFileTest, BinarySizesAreChecked) {
  const std::string right = makeBinary(1, 2);
  KaldiFile file(right, "x");
  EXPECT_EQ(file.readMatrix().cols, 2);
  EXPECT_EQ(file.getError(), "");
  for (auto [rows, cols, error] :
       {std::tuple(2000000000, 2000000000,
                   "x:byte 2: expects 4000000000000000000 numbers of 4 bytes, "
                   "but the file ends after 2"),
        std::tuple(-1, 2,
                   "x:byte 2: expects dimensions of at least 0, but got -1 x "
                   "2")}) {
    const std::string bytes = makeBinary(rows, cols);
    KaldiFile wrong(bytes, "x");
    EXPECT_TRUE(wrong.readMatrix().values.empty());
    EXPECT_EQ(wrong.getError(), error);
  }
}

} // namespace
