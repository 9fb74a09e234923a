//===- LibrarySubmitTest.cpp - Runs in two steps, on the CPU --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LibraryTesting.h"
#include "demo_code.h"
#include "test/support/DemoNetwork.h"

#include <gtest/gtest.h>

using namespace nnet3::rt::test;

namespace {

class LibrarySubmitTest : public testing::Test {
protected:
  LibrarySubmitTest()
      : opened(open(demo_image)), instance(createInstance(opened.model.get())) {
    EXPECT_TRUE(instance);
  }

  nnet3lib_status submit(const Matrix &matrix) {
    const nnet3lib_input input = inputOf(matrix);
    return nnet3lib_instance_submit(instance.get(), &input, 1);
  }
  nnet3lib_status wait() {
    const nnet3lib_output outputs[] = {outputOf(hidden), outputOf(out)};
    return nnet3lib_instance_wait(instance.get(), outputs, 2);
  }

  Opened opened;
  InstanceHandle instance;
  Matrix in{3, 4, 0.5f}, hidden{3, 5}, out{2, 2};
};

} // namespace

TEST_F(LibrarySubmitTest, SameNumbers) {
  Matrix expected(2, 2), ignored(3, 5);
  const nnet3lib_input input = inputOf(in);
  const nnet3lib_output outputs[] = {outputOf(ignored), outputOf(expected)};
  ASSERT_EQ(nnet3lib_instance_run(instance.get(), &input, 1, outputs, 2),
            NNET3LIB_OK);
  ASSERT_EQ(submit(in), NNET3LIB_OK);
  ASSERT_EQ(wait(), NNET3LIB_OK);
  EXPECT_EQ(out.values, expected.values);
}

TEST_F(LibrarySubmitTest, Order) {
  EXPECT_EQ(wait(), NNET3LIB_NOT_READY);
  EXPECT_EQ(nnet3lib_instance_wait(instance.get(), nullptr, 0), NNET3LIB_OK);
  EXPECT_EQ(submit(in), NNET3LIB_OK);
  EXPECT_EQ(submit(in), NNET3LIB_BUSY);
  const float *data = nullptr;
  EXPECT_EQ(nnet3lib_instance_get_output(instance.get(), 1, &data, nullptr),
            NNET3LIB_NOT_READY);
  EXPECT_EQ(wait(), NNET3LIB_OK);
  EXPECT_EQ(nnet3lib_instance_get_output(instance.get(), 1, &data, nullptr),
            NNET3LIB_OK);
  EXPECT_EQ(submit(in), NNET3LIB_OK);
}

TEST_F(LibrarySubmitTest, NoDevice) {
  const char *target = nullptr;
  EXPECT_EQ(nnet3lib_get_target(opened.model.get(), &target), NNET3LIB_OK);
  EXPECT_STREQ(target, "cpu");
  const nnet3lib_input input = inputOf(in);
  EXPECT_EQ(
      nnet3lib_instance_submit_on_device(instance.get(), &input, 1, nullptr, 0),
      NNET3LIB_NO_DEVICE);
}

/// The options of version 2 were shorter.
TEST_F(LibrarySubmitTest, OptionsOfTheSecondVersion) {
  auto options = sized<nnet3lib_instance_options>();
  options.struct_size = offsetof(nnet3lib_instance_options, device);
  options.message = reinterpret_cast<char *>(1); // not there
  options.message_size = 1;
  nnet3lib_instance *created = nullptr;
  EXPECT_EQ(
      nnet3lib_instance_create_with(opened.model.get(), 0, &options, &created),
      NNET3LIB_OK);
  nnet3lib_instance_destroy(created);
}
