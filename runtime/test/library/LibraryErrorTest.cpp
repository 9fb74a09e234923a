//===- LibraryErrorTest.cpp - Wrong use of a library ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LibraryTesting.h"
#include "demo.h"
#include "demo_code.h"

#include <gtest/gtest.h>
#include <limits>
#include <set>

using namespace nnet3::rt::test;

namespace {

class LibraryErrorTest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_EQ(demo_model_open(DEMO_ABI_VERSION, nullptr, &model), DEMO_OK);
    ASSERT_EQ(demo_instance_create(model, 0, &instance), DEMO_OK);
  }
  void TearDown() override {
    demo_instance_destroy(instance);
    demo_model_close(model);
  }

  demo_model *model = nullptr;
  demo_instance *instance = nullptr;
};

TEST(LibraryErrorTextTest, EachStatusHasItsOwn) {
  std::set<std::string> texts;
  for (demo_status status = DEMO_OK; status <= DEMO_WRONG_STATE; ++status)
    texts.insert(demo_error_text(status));
  EXPECT_EQ(texts.size(), size_t(DEMO_WRONG_STATE) + 1);
  for (demo_status status : {-1, DEMO_WRONG_STATE + 1, 1 << 30})
    EXPECT_STREQ(demo_error_text(status), "unknown status");
}

TEST(LibraryOpenErrorTest, Arguments) {
  demo_model *model = nullptr;
  EXPECT_EQ(demo_model_open(DEMO_ABI_VERSION, nullptr, nullptr),
            DEMO_NULL_ARGUMENT);
  for (uint32_t version : {0u, DEMO_ABI_VERSION + 1})
    EXPECT_EQ(demo_model_open(version, nullptr, &model), DEMO_WRONG_VERSION);
  demo_open_options options = {};
  EXPECT_EQ(demo_model_open(DEMO_ABI_VERSION, &options, &model),
            DEMO_WRONG_VERSION);
  EXPECT_EQ(model, nullptr);
  demo_model_close(nullptr);
  nnet3lib_model *other = nullptr;
  EXPECT_EQ(
      nnet3lib_model_open_image(NNET3LIB_ABI_VERSION, nullptr, &other, nullptr),
      NNET3LIB_NULL_ARGUMENT);
}

TEST(LibraryOpenErrorTest, ProgramsOfTheFirstVersionMayStay) {
  demo_model *model = nullptr;
  EXPECT_EQ(demo_model_open(1, nullptr, &model), DEMO_OK);
  demo_model_close(model);
}

TEST(LibraryOpenErrorTest, TheMessageIsCutOffToFit) {
  nnet3lib_image image = demo_image;
  image.version = NNET3LIB_IMAGE_VERSION + 1;
  for (uint64_t size : {0, 1, 10}) {
    char message[16] = "###############";
    auto options = sized<nnet3lib_open_options>();
    options.message = message;
    options.message_size = size;
    nnet3lib_model *model = nullptr;
    EXPECT_EQ(nnet3lib_model_open_image(NNET3LIB_ABI_VERSION, &options, &model,
                                        &image),
              NNET3LIB_WRONG_VERSION);
    EXPECT_EQ(message[size], '#');
    if (size > 0)
      EXPECT_EQ(std::string(message),
                std::string("expects generated").substr(0, size - 1));
  }
}

TEST_F(LibraryErrorTest, Questions) {
  auto about = sized<demo_model_info>();
  EXPECT_EQ(demo_get_model_info(nullptr, &about), DEMO_NULL_ARGUMENT);
  EXPECT_EQ(demo_get_model_info(model, nullptr), DEMO_NULL_ARGUMENT);
  about.struct_size = 4;
  EXPECT_EQ(demo_get_model_info(model, &about), DEMO_WRONG_VERSION);

  auto request = sized<demo_request_info>();
  for (int32_t number : {-1, 2, std::numeric_limits<int32_t>::max()})
    EXPECT_EQ(demo_get_request_info(model, number, &request),
              DEMO_NO_SUCH_REQUEST);
  EXPECT_EQ(demo_get_request_info(nullptr, 0, &request), DEMO_NULL_ARGUMENT);
  request.struct_size = 0;
  EXPECT_EQ(demo_get_request_info(model, 0, &request), DEMO_WRONG_VERSION);

  int32_t number = 0;
  EXPECT_EQ(demo_find_request(model, "chunks", &number), DEMO_NO_SUCH_REQUEST);
  EXPECT_EQ(demo_find_request(model, nullptr, &number), DEMO_NULL_ARGUMENT);
  EXPECT_EQ(demo_find_request(model, "chunk", nullptr), DEMO_NULL_ARGUMENT);
  EXPECT_EQ(demo_find_request(nullptr, "chunk", &number), DEMO_NULL_ARGUMENT);

  auto matrix = sized<demo_matrix_info>();
  EXPECT_EQ(demo_get_input_info(model, 0, 1, &matrix), DEMO_NO_SUCH_MATRIX);
  EXPECT_EQ(demo_get_output_info(model, 0, -1, &matrix), DEMO_NO_SUCH_MATRIX);
  EXPECT_EQ(demo_get_output_info(model, 2, 0, &matrix), DEMO_NO_SUCH_REQUEST);
  EXPECT_EQ(demo_get_output_info(model, 0, 0, nullptr), DEMO_NULL_ARGUMENT);
  EXPECT_EQ(demo_get_input_info(nullptr, 0, 0, &matrix), DEMO_NULL_ARGUMENT);
  matrix.struct_size = 0;
  EXPECT_EQ(demo_get_input_info(model, 0, 0, &matrix), DEMO_WRONG_VERSION);
}

TEST_F(LibraryErrorTest, Creating) {
  demo_instance *other = nullptr;
  EXPECT_EQ(demo_instance_create(model, 2, &other), DEMO_NO_SUCH_REQUEST);
  EXPECT_EQ(demo_instance_create(model, -1, &other), DEMO_NO_SUCH_REQUEST);
  EXPECT_EQ(demo_instance_create(model, 0, nullptr), DEMO_NULL_ARGUMENT);
  EXPECT_EQ(demo_instance_create(nullptr, 0, &other), DEMO_NULL_ARGUMENT);
  alignas(64) static char memory[4096];
  EXPECT_EQ(demo_instance_create_in(model, 2, memory, 4096, &other),
            DEMO_NO_SUCH_REQUEST);
  EXPECT_EQ(demo_instance_create_in(nullptr, 0, memory, 4096, &other),
            DEMO_NULL_ARGUMENT);
  EXPECT_EQ(demo_instance_create_in(model, 0, memory, 4096, nullptr),
            DEMO_NULL_ARGUMENT);
  demo_instance_destroy(nullptr);
}

TEST_F(LibraryErrorTest, CreatingWithOptions) {
  demo_instance *other = nullptr;
  auto options = sized<demo_instance_options>();
  auto create = [&] {
    return demo_instance_create_with(model, 0, &options, &other);
  };
  EXPECT_EQ(demo_instance_create_with(model, 2, &options, &other),
            DEMO_NO_SUCH_REQUEST);
  EXPECT_EQ(demo_instance_create_with(nullptr, 0, &options, &other),
            DEMO_NULL_ARGUMENT);
  EXPECT_EQ(demo_instance_create_with(model, 0, &options, nullptr),
            DEMO_NULL_ARGUMENT);
  for (int32_t number : {-1, DEMO_MAX_THREADS + 1}) {
    options.num_threads = number;
    EXPECT_EQ(create(), DEMO_NO_THREADS);
  }
  options = {};
  EXPECT_EQ(create(), DEMO_WRONG_VERSION);
  EXPECT_EQ(other, nullptr);
}

TEST_F(LibraryErrorTest, Running) {
  const std::vector<float> in(12);
  std::vector<float> hidden(15), out(4);
  const demo_input input = {in.data(), 4, 3, 4};
  const demo_output outputs[2] = {{hidden.data(), 5, 3, 5},
                                  {out.data(), 2, 2, 2}};
  auto run = [&](demo_input first, int32_t numInputs, demo_output last,
                 int32_t numOutputs) {
    const demo_output both[2] = {outputs[0], last};
    return demo_instance_run(instance, &first, numInputs, both, numOutputs);
  };
  EXPECT_EQ(run(input, 1, outputs[1], 2), DEMO_OK);
  EXPECT_EQ(demo_instance_run(nullptr, &input, 1, outputs, 2),
            DEMO_NULL_ARGUMENT);
  EXPECT_EQ(demo_instance_run(instance, nullptr, 1, outputs, 2),
            DEMO_NULL_ARGUMENT);
  EXPECT_EQ(demo_instance_run(instance, nullptr, 0, outputs, 2),
            DEMO_WRONG_DIMS);
  EXPECT_EQ(demo_instance_run(instance, &input, 1, nullptr, 2),
            DEMO_NULL_ARGUMENT);
  for (int32_t number : {-1, 0, 2})
    EXPECT_EQ(run(input, number, outputs[1], 2), DEMO_WRONG_DIMS);
  for (int32_t number : {-1, 0, 1, 3})
    EXPECT_EQ(run(input, 1, outputs[1], number), DEMO_WRONG_DIMS);
  EXPECT_EQ(run({nullptr, 4, 3, 4}, 1, outputs[1], 2), DEMO_NULL_ARGUMENT);
  for (const demo_input &wrong :
       {demo_input{in.data(), 4, 2, 4}, demo_input{in.data(), 4, 3, 3},
        demo_input{in.data(), 3, 3, 4}, demo_input{in.data(), -4, 3, 4}})
    EXPECT_EQ(run(wrong, 1, outputs[1], 2), DEMO_WRONG_DIMS);
  for (const demo_output &wrong :
       {demo_output{out.data(), 2, 3, 2}, demo_output{out.data(), 2, 2, 1},
        demo_output{out.data(), 1, 2, 2}, demo_output{nullptr, 0, 3, 2}})
    EXPECT_EQ(run(input, 1, wrong, 2), DEMO_WRONG_DIMS);
}

TEST_F(LibraryErrorTest, AskingForOutputs) {
  const float *data = nullptr;
  EXPECT_EQ(demo_instance_get_output(nullptr, 0, &data, nullptr),
            DEMO_NULL_ARGUMENT);
  EXPECT_EQ(demo_instance_get_output(instance, 0, nullptr, nullptr),
            DEMO_NULL_ARGUMENT);
  EXPECT_EQ(demo_instance_get_output(instance, -1, &data, nullptr),
            DEMO_NO_SUCH_MATRIX);
}

} // namespace
