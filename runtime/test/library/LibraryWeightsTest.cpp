//===- LibraryWeightsTest.cpp - Weights in a file of their own ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LibraryTesting.h"
#include "demo_code.h"
#include "test/support/DemoNetwork.h"

#include <cstddef>
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

  /// Opens the library with these bytes in the weights file.
  Opened openWith(const std::vector<uint8_t> &bytes) {
    FILE *file = std::fopen(path.c_str(), "wb");
    EXPECT_TRUE(file);
    EXPECT_EQ(std::fwrite(bytes.data(), 1, bytes.size(), file), bytes.size());
    std::fclose(file);
    return open(image, path.c_str());
  }

  /// Opens the library with weights in memory, with a struct of \p structSize
  /// bytes.
  static nnet3lib_status
  openIn(const nnet3lib_image &image, const void *data, uint64_t size,
         ModelHandle &model,
         uint32_t structSize = sizeof(nnet3lib_open_options)) {
    auto options = sized<nnet3lib_open_options>();
    options.struct_size = structSize;
    options.weights = data;
    options.weights_bytes = size;
    nnet3lib_model *opened = nullptr;
    const nnet3lib_status status = nnet3lib_model_open_image(
        NNET3LIB_ABI_VERSION, &options, &opened, &image);
    model.reset(opened);
    return status;
  }

  /// The network computes what it does with its own weights.
  static void expectOutputs(const InstanceHandle &instance) {
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
  opened.model.reset();
  expectOutputs(instance);
}

// A model with a copy of the weights is independent of later changes of them.
TEST_F(LibraryWeightsTest, AreCopied) {
  const AlignedCopy copy(weights);
  image.weights = copy.data();
  image.weights_size = weights.size();
  const Opened opened = open(image, nullptr, /*copyWeights=*/true);
  ASSERT_EQ(opened.status, NNET3LIB_OK) << opened.message;
  std::memset(const_cast<void *>(copy.data()), 0, weights.size());
  expectOutputs(createInstance(opened.model.get()));
}

TEST_F(LibraryWeightsTest, AreInMemory) {
  const AlignedCopy copy(weights);
  ModelHandle model;
  ASSERT_EQ(openIn(image, copy.data(), weights.size(), model), NNET3LIB_OK);
  expectOutputs(createInstance(model.get()));
  EXPECT_EQ(openIn(image, copy.data(), weights.size() - 1, model),
            NNET3LIB_WRONG_WEIGHTS);
  const char *inside = static_cast<const char *>(copy.data()) + 4;
  EXPECT_EQ(openIn(image, inside, weights.size(), model), NNET3LIB_MISALIGNED);
  // Programs of version 7 do not have the members.
  EXPECT_EQ(openIn(image, copy.data(), weights.size(), model,
                   offsetof(nnet3lib_open_options, weights)),
            NNET3LIB_NO_WEIGHTS);
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
  // A file is an alternative.
  EXPECT_EQ(openWith(weights).status, NNET3LIB_OK);
}

} // namespace
