//===- LibraryRandomTest.cpp - Random numbers of instances ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LibraryTesting.h"

#include <gtest/gtest.h>

using namespace nnet3::rt::test;

namespace {

void runDropout(float *arena, const float *, const int32_t *, void *context) {
  nnet3lib_propagate(context, 0, arena, 64, arena, 64);
}

/// A library whose one request drops half of 4 x 64 values.
TestImage dropoutImage() {
  LibraryWriter writer;
  writer.components = {
      {"d", "DropoutComponent", {{"dim", 64}, {"dropout_proportion", 0.5}}}};
  writer.calls = {{0, 4, 64, 4, 64, {}, 3}};
  writer.requests = {{"r",
                      256,
                      {{"input", 4, 64, 0, 64, {}, {}, {}}},
                      {{"output", 4, 64, 0, 64, {}, {}, {}}}}};
  return TestImage(writer, runDropout);
}

/// Returns the outputs of two runs.
std::vector<std::vector<float>> runTwice(const nnet3lib_model *model,
                                         uint64_t seed) {
  auto options = sized<nnet3lib_instance_options>();
  options.seed = seed;
  nnet3lib_instance *created = nullptr;
  EXPECT_EQ(nnet3lib_instance_create_with(model, 0, &options, &created),
            NNET3LIB_OK);
  InstanceHandle instance(created);
  std::vector<std::vector<float>> results;
  for (int i = 0; i < 2; ++i) {
    const Matrix in(4, 64, 1.0f);
    Matrix out(4, 64);
    const nnet3lib_input input = inputOf(in);
    const nnet3lib_output output = outputOf(out);
    EXPECT_EQ(nnet3lib_instance_run(created, &input, 1, &output, 1),
              NNET3LIB_OK);
    results.push_back(out.values);
  }
  return results;
}

TEST(LibraryRandomTest, AFunctionOfTheSeedAndTheRun) {
  const TestImage image = dropoutImage();
  const Opened opened = open(image.get());
  ASSERT_EQ(opened.status, NNET3LIB_OK) << opened.message;
  const auto first = runTwice(opened.model.get(), 5);
  EXPECT_EQ(runTwice(opened.model.get(), 5), first);
  EXPECT_NE(first[0], first[1]);
  EXPECT_NE(runTwice(opened.model.get(), 6)[0], first[0]);
}

} // namespace
