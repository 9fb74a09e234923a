//===- LibraryWeightsTest.cpp - Weights in a file of their own ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LibraryTesting.h"
#include "demo_code.h"
#include "test/support/DemoNetwork.h"

#include <cstdio>
#include <cstring>
#include <gtest/gtest.h>

using namespace nnet3::rt::test;

namespace {

class LibraryWeightsTest : public testing::Test {
protected:
  void SetUp() override {
    image.weights = nullptr;
    image.weights_size = 0;
    const auto *begin = static_cast<const uint8_t *>(demo_image.weights);
    weights.assign(begin, begin + demo_image.weights_size);
  }
  void TearDown() override { std::remove(path.c_str()); }

  /// What opening comes to with these bytes in the file.
  Opened openWith(const std::vector<uint8_t> &bytes) {
    FILE *file = std::fopen(path.c_str(), "wb");
    EXPECT_TRUE(file);
    EXPECT_EQ(std::fwrite(bytes.data(), 1, bytes.size(), file), bytes.size());
    std::fclose(file);
    return open(image, path.c_str());
  }

  nnet3lib_image image = demo_image;
  std::vector<uint8_t> weights;
  const std::string path = testing::TempDir() + "/nnet3_library_weights_test";
};

TEST_F(LibraryWeightsTest, AreMapped) {
  Opened opened = openWith(weights);
  ASSERT_EQ(opened.status, NNET3LIB_OK) << opened.message;
  EXPECT_EQ(opened.message, "");
  std::remove(path.c_str()); // the mapping stays
  const InstanceHandle instance = createInstance(opened.model.get());
  ASSERT_TRUE(instance);
  opened.model.reset();
  const Matrix in = randomMatrix(3, 4, 1);
  Matrix hidden(3, 5), out(2, 2);
  const nnet3lib_input input = inputOf(in);
  const nnet3lib_output outputs[] = {outputOf(hidden), outputOf(out)};
  ASSERT_EQ(nnet3lib_instance_run(instance.get(), &input, 1, outputs, 2),
            NNET3LIB_OK);
  const Matrix expected = demoOutput(in);
  expectNear(out, {expected.values.begin(), expected.values.end()});
}

// What becomes of the weights behind opening does not matter to a model that
// has a copy.
TEST_F(LibraryWeightsTest, AreCopied) {
  const AlignedCopy copy(weights);
  image.weights = copy.data();
  image.weights_size = weights.size();
  const Opened opened = open(image, nullptr, /*copyWeights=*/true);
  ASSERT_EQ(opened.status, NNET3LIB_OK) << opened.message;
  std::memset(const_cast<void *>(copy.data()), 0, weights.size());
  const InstanceHandle instance = createInstance(opened.model.get());
  ASSERT_TRUE(instance);
  const Matrix in = randomMatrix(3, 4, 1);
  Matrix hidden(3, 5), out(2, 2);
  const nnet3lib_input input = inputOf(in);
  const nnet3lib_output outputs[] = {outputOf(hidden), outputOf(out)};
  ASSERT_EQ(nnet3lib_instance_run(instance.get(), &input, 1, outputs, 2),
            NNET3LIB_OK);
  const Matrix expected = demoOutput(in);
  expectNear(out, {expected.values.begin(), expected.values.end()});
}

TEST_F(LibraryWeightsTest, AreNotGiven) {
  const Opened opened = open(image);
  EXPECT_EQ(opened.status, NNET3LIB_NO_WEIGHTS);
  EXPECT_EQ(opened.message,
            "the weights are in a file of their own, which was not given");
  EXPECT_FALSE(opened.model);
}

TEST_F(LibraryWeightsTest, AreMissing) {
  const Opened opened = open(image, path.c_str());
  EXPECT_EQ(opened.status, NNET3LIB_IO_ERROR);
  EXPECT_EQ(opened.message,
            "cannot map '" + path + "': No such file or directory");
  EXPECT_EQ(openWith({}).status, NNET3LIB_IO_ERROR);
  EXPECT_EQ(open(image, "/").status, NNET3LIB_IO_ERROR);
}

TEST_F(LibraryWeightsTest, AreOfAnotherSize) {
  for (int change : {-1, 1}) {
    std::vector<uint8_t> other = weights;
    other.resize(weights.size() + change);
    const Opened opened = openWith(other);
    EXPECT_EQ(opened.status, NNET3LIB_WRONG_WEIGHTS);
    EXPECT_EQ(opened.message, "expects " + std::to_string(weights.size()) +
                                  " bytes of weights, but got " +
                                  std::to_string(other.size()));
  }
}

TEST_F(LibraryWeightsTest, AreDamaged) {
  for (size_t at : {size_t(0), weights.size() / 2, weights.size() - 1}) {
    std::vector<uint8_t> damaged = weights;
    damaged[at] ^= 0x10;
    const Opened opened = openWith(damaged);
    EXPECT_EQ(opened.status, NNET3LIB_WRONG_WEIGHTS) << at;
    EXPECT_EQ(opened.message,
              "these are other weights, or damaged: the checksum is wrong");
  }
}

TEST_F(LibraryWeightsTest, AreCheckedInTheLibraryToo) {
  std::vector<uint8_t> damaged = weights;
  damaged[3] ^= 1;
  const AlignedCopy copy(damaged);
  image.weights = copy.data();
  image.weights_size = damaged.size();
  EXPECT_EQ(open(image).status, NNET3LIB_WRONG_WEIGHTS);
  // The file takes their place.
  EXPECT_EQ(openWith(weights).status, NNET3LIB_OK);
}

} // namespace
