//===- LibraryAllocationTest.cpp - Allocations of libraries ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "demo.h"
#include "test/support/CountAllocations.h"
#include "test/support/TestMatrix.h"

#include <gtest/gtest.h>

using namespace nnet3::rt::test;

namespace {

class LibraryAllocationTest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_EQ(demo_model_open(DEMO_ABI_VERSION, nullptr, &model), DEMO_OK);
  }
  void TearDown() override { demo_model_close(model); }

  demo_model *model = nullptr;
};

/// Allocations of two runs of request 0.
int64_t countRuns(demo_instance *instance) {
  const Matrix in = randomMatrix(3, 4, 1);
  Matrix hidden(3, 5), out(2, 2);
  const demo_input input = {in.values.data(), 4, 3, 4};
  const demo_output outputs[] = {{hidden.values.data(), 5, 3, 5},
                                 {out.values.data(), 2, 2, 2}};
  return countAllocations([&] {
    for (int i = 0; i < 2; ++i)
      EXPECT_EQ(demo_instance_run(instance, &input, 1, outputs, 2), DEMO_OK);
  });
}

TEST_F(LibraryAllocationTest, ARunAllocatesNothing) {
  demo_instance *instance = nullptr;
  EXPECT_EQ(countAllocations([&] {
              EXPECT_EQ(demo_instance_create(model, 0, &instance), DEMO_OK);
            }),
            1);
  EXPECT_EQ(countRuns(instance), 0);
  demo_instance_destroy(instance);
}

TEST_F(LibraryAllocationTest, ARunOfSeveralThreadsAllocatesNothing) {
  demo_instance_options options = {};
  options.struct_size = sizeof(options);
  options.num_threads = 3;
  demo_instance *instance = nullptr;
  ASSERT_EQ(demo_instance_create_with(model, 0, &options, &instance), DEMO_OK);
  EXPECT_EQ(countRuns(instance), 0);
  demo_instance_destroy(instance);
}

TEST_F(LibraryAllocationTest, InMemoryOfTheCallerNothingDoes) {
  alignas(64) static char memory[4096];
  const Matrix in = randomMatrix(1, 4, 1);
  const demo_input input = {in.values.data(), 4, 1, 4};
  const float *data = nullptr;
  EXPECT_EQ(countAllocations([&] {
              demo_instance *instance = nullptr;
              demo_instance_create_in(model, 1, memory, sizeof(memory),
                                      &instance);
              demo_instance_run(instance, &input, 1, nullptr, 0);
              demo_instance_get_output(instance, 0, &data, nullptr);
              demo_instance_destroy(instance);
            }),
            0);
  EXPECT_NE(data, nullptr);
}

} // namespace
