//===- LibraryTest.cpp - The public functions of a library ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Through the functions of the demo library, with its prefix.
//
//===----------------------------------------------------------------------===//

#include "demo.h"
#include "test/support/DemoNetwork.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <thread>

using namespace nnet3::rt::test;

namespace {

template <typename Struct> Struct sized() {
  Struct value = {};
  value.struct_size = sizeof(value);
  return value;
}

class LibraryTest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_EQ(demo_model_open(DEMO_ABI_VERSION, nullptr, &model), DEMO_OK);
  }
  void TearDown() override { demo_model_close(model); }

  demo_instance *create(int32_t request) {
    demo_instance *instance = nullptr;
    EXPECT_EQ(demo_instance_create(model, request, &instance), DEMO_OK);
    return instance;
  }
  demo_instance *createWith(int32_t numThreads) {
    auto options = sized<demo_instance_options>();
    options.num_threads = numThreads;
    demo_instance *instance = nullptr;
    EXPECT_EQ(demo_instance_create_with(model, 0, &options, &instance),
              DEMO_OK);
    return instance;
  }

  demo_model *model = nullptr;
};

/// Runs request "chunk".
demo_status runChunk(demo_instance *instance, const Matrix &in, Matrix &hidden,
                     Matrix &out) {
  const demo_input input = {in.values.data(), in.cols, in.rows, in.cols};
  const demo_output outputs[] = {
      {hidden.values.data(), hidden.cols, hidden.rows, hidden.cols},
      {out.values.data(), out.cols, out.rows, out.cols}};
  return demo_instance_run(instance, &input, 1, outputs, 2);
}

std::vector<double> doubles(const Matrix &matrix) {
  return {matrix.values.begin(), matrix.values.end()};
}

std::vector<int32_t> list(const int32_t *values, int32_t size) {
  return values ? std::vector<int32_t>(values, values + size)
                : std::vector<int32_t>();
}

TEST_F(LibraryTest, Signatures) {
  EXPECT_EQ(demo_abi_version(), DEMO_ABI_VERSION);
  auto about = sized<demo_model_info>();
  ASSERT_EQ(demo_get_model_info(model, &about), DEMO_OK);
  EXPECT_EQ(about.struct_size, sizeof(about));
  EXPECT_EQ(about.num_requests, 2);
  EXPECT_STREQ(about.network, "demo");
  EXPECT_STREQ(about.producer, "by hand");
  EXPECT_GT(about.weights_bytes, 0u);

  auto request = sized<demo_request_info>();
  ASSERT_EQ(demo_get_request_info(model, 0, &request), DEMO_OK);
  EXPECT_STREQ(request.name, "chunk");
  EXPECT_EQ(request.num_inputs, 1);
  EXPECT_EQ(request.num_outputs, 2);
  EXPECT_GE(request.instance_bytes, 80 * sizeof(float));
  int32_t number = -1;
  ASSERT_EQ(demo_find_request(model, "single", &number), DEMO_OK);
  EXPECT_EQ(number, 1);

  auto matrix = sized<demo_matrix_info>();
  ASSERT_EQ(demo_get_input_info(model, 0, 0, &matrix), DEMO_OK);
  EXPECT_STREQ(matrix.name, "input");
  EXPECT_EQ(matrix.rows, 3);
  EXPECT_EQ(matrix.cols, 4);
  EXPECT_EQ(list(matrix.n, 3), (std::vector<int32_t>{0, 0, 0}));
  EXPECT_EQ(list(matrix.t, 3), (std::vector<int32_t>{-1, 0, 1}));
  EXPECT_EQ(matrix.x, nullptr);
  ASSERT_EQ(demo_get_output_info(model, 0, 0, &matrix), DEMO_OK);
  EXPECT_STREQ(matrix.name, "hidden");
  EXPECT_EQ(list(matrix.x, 3), (std::vector<int32_t>{0, 0, 0}));
  ASSERT_EQ(demo_get_output_info(model, 0, 1, &matrix), DEMO_OK);
  EXPECT_STREQ(matrix.name, "output");
  EXPECT_EQ(matrix.rows, 2);
  EXPECT_EQ(matrix.cols, 2);
  ASSERT_EQ(demo_get_input_info(model, 1, 0, &matrix), DEMO_OK);
  EXPECT_EQ(matrix.rows, 1);
  EXPECT_EQ(matrix.t, nullptr);
}

TEST_F(LibraryTest, Runs) {
  demo_instance *instance = create(0);
  for (uint32_t seed : {5u, 6u}) {
    const Matrix in = randomMatrix(3, 4, seed);
    Matrix hidden(3, 5), out(2, 2);
    ASSERT_EQ(runChunk(instance, in, hidden, out), DEMO_OK);
    expectNear(hidden, doubles(demoHidden(in)));
    expectNear(out, doubles(demoOutput(in)));
  }
  demo_instance_destroy(instance);
}

TEST_F(LibraryTest, RunsTheOtherRequest) {
  demo_instance *instance = create(1);
  const Matrix in = randomMatrix(1, 4, 7);
  Matrix hidden(1, 5);
  const demo_input input = {in.values.data(), 4, 1, 4};
  const demo_output output = {hidden.values.data(), 5, 1, 5};
  ASSERT_EQ(demo_instance_run(instance, &input, 1, &output, 1), DEMO_OK);
  expectNear(hidden, doubles(demoHidden(in)));
  demo_instance_destroy(instance);
}

TEST_F(LibraryTest, StridesMayExceedTheColumns) {
  const Matrix in = randomMatrix(3, 4, 8);
  Matrix wideIn(3, 7, 99), wideOut(2, 5, 99);
  for (int32_t r = 0; r < 3; ++r)
    std::copy_n(&in.values[4 * r], 4, &wideIn.at(r, 0));
  const demo_input input = {wideIn.values.data(), 7, 3, 4};
  const demo_output outputs[] = {{nullptr, 0, 3, 5},
                                 {&wideOut.at(0, 1), 5, 2, 2}};
  demo_instance *instance = create(0);
  ASSERT_EQ(demo_instance_run(instance, &input, 1, outputs, 2), DEMO_OK);
  Matrix out(2, 2);
  for (int32_t r = 0; r < 2; ++r)
    for (int32_t c = 0; c < 5; ++c)
      if (c == 1 || c == 2)
        out.at(r, c - 1) = wideOut.at(r, c);
      else
        EXPECT_EQ(wideOut.at(r, c), 99) << "written outside of the output";
  expectNear(out, doubles(demoOutput(in)));
  demo_instance_destroy(instance);
}

TEST_F(LibraryTest, OutputsWithoutACopy) {
  demo_instance *instance = create(0);
  const float *data = nullptr;
  int64_t stride = 0;
  EXPECT_EQ(demo_instance_get_output(instance, 0, &data, &stride),
            DEMO_NOT_READY);
  const Matrix in = randomMatrix(3, 4, 9);
  const demo_input input = {in.values.data(), 4, 3, 4};
  ASSERT_EQ(demo_instance_run(instance, &input, 1, nullptr, 0), DEMO_OK);
  ASSERT_EQ(demo_instance_get_output(instance, 0, &data, &stride), DEMO_OK);
  Matrix hidden(3, 5);
  for (int32_t r = 0; r < 3; ++r)
    std::copy_n(data + r * stride, 5, &hidden.at(r, 0));
  expectNear(hidden, doubles(demoHidden(in)));
  EXPECT_EQ(demo_instance_get_output(instance, 1, &data, nullptr), DEMO_OK);
  EXPECT_EQ(demo_instance_get_output(instance, 2, &data, nullptr),
            DEMO_NO_SUCH_MATRIX);
  EXPECT_EQ(data, nullptr);
  demo_instance_destroy(instance);
}

TEST_F(LibraryTest, InstancesInMemoryOfTheCaller) {
  auto request = sized<demo_request_info>();
  ASSERT_EQ(demo_get_request_info(model, 0, &request), DEMO_OK);
  void *memory = nullptr;
  ASSERT_EQ(posix_memalign(&memory, DEMO_ALIGNMENT, request.instance_bytes), 0);
  demo_instance *instance = nullptr;
  auto create = [&](char *at, uint64_t size) {
    return demo_instance_create_in(model, 0, at, size, &instance);
  };
  auto *bytes = static_cast<char *>(memory);
  EXPECT_EQ(create(bytes, request.instance_bytes - 1), DEMO_MEMORY_TOO_SMALL);
  EXPECT_EQ(create(bytes + 16, request.instance_bytes), DEMO_MISALIGNED);
  EXPECT_EQ(create(nullptr, request.instance_bytes), DEMO_NULL_ARGUMENT);
  EXPECT_EQ(instance, nullptr);
  ASSERT_EQ(create(bytes, request.instance_bytes), DEMO_OK);
  const Matrix in = randomMatrix(3, 4, 10);
  Matrix hidden(3, 5), out(2, 2);
  EXPECT_EQ(runChunk(instance, in, hidden, out), DEMO_OK);
  expectNear(out, doubles(demoOutput(in)));
  demo_instance_destroy(instance);
  free(memory);
}

TEST_F(LibraryTest, InstancesOutliveTheHandle) {
  demo_instance *instance = create(0);
  demo_model_close(model);
  model = nullptr;
  const Matrix in = randomMatrix(3, 4, 11);
  Matrix hidden(3, 5), out(2, 2);
  EXPECT_EQ(runChunk(instance, in, hidden, out), DEMO_OK);
  expectNear(out, doubles(demoOutput(in)));
  demo_instance_destroy(instance);
}

/// Returns the outputs of many runs; destroys the instance.
std::vector<float> runManyTimes(demo_instance *instance) {
  std::vector<float> results;
  for (uint32_t i = 0; i < 50; ++i) {
    Matrix hidden(3, 5), out(2, 2);
    EXPECT_EQ(runChunk(instance, randomMatrix(3, 4, i), hidden, out), DEMO_OK);
    results.insert(results.end(), hidden.values.begin(), hidden.values.end());
    results.insert(results.end(), out.values.begin(), out.values.end());
  }
  demo_instance_destroy(instance);
  return results;
}

TEST_F(LibraryTest, TheNumberOfThreadsChangesNothing) {
  const std::vector<float> expected = runManyTimes(create(0));
  for (int32_t numThreads : {0, 1, 2, 3, 8})
    EXPECT_EQ(runManyTimes(createWith(numThreads)), expected)
        << numThreads << " threads";
}

TEST_F(LibraryTest, ThreadsThatNeverWork) {
  demo_instance_destroy(createWith(4));
}

TEST_F(LibraryTest, ThreadsShareAModel) {
  constexpr int kThreads = 8;
  const std::vector<float> expected = runManyTimes(create(0));
  std::vector<std::vector<float>> results(kThreads);
  std::vector<std::thread> threads;
  // Some have threads of their own.
  for (int i = 0; i < kThreads; ++i)
    threads.emplace_back(
        [&, i] { results[i] = runManyTimes(createWith(1 + i % 3)); });
  for (std::thread &thread : threads)
    thread.join();
  for (int i = 0; i < kThreads; ++i)
    EXPECT_EQ(results[i], expected) << "thread " << i;
}

} // namespace
