//===- CApiTest.cpp - The C interface -------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "test/support/ProgramWriter.h"

#include <cstdio>
#include <gtest/gtest.h>

extern "C" int check_c_api(const void *file, uint64_t size, const char *path);

using namespace nnet3::rt;
using namespace nnet3::rt::test;

namespace {

/// A program file on disk that doubles a 2 x 3 matrix and adds 1.
class CApiTest : public testing::Test {
protected:
  void SetUp() override {
    ProgramWriter writer;
    const int32_t affine =
        writer.component("s", "ScaleAndOffsetComponent",
                         {{"dim", 3},
                          {"scales", vectorTensor({2, 2, 2})},
                          {"offsets", vectorTensor({1, 1, 1})}});
    const int32_t in = writer.input("input", 2, 3), out = writer.zeroed(2, 3);
    writer.propagate(affine, in, out);
    writer.output("output", out);
    file = writer.finishFile(true);
    path = testing::TempDir() + "/nnet3_c_api_test.n3p";
    FILE *stream = std::fopen(path.c_str(), "wb");
    ASSERT_TRUE(stream);
    ASSERT_EQ(std::fwrite(file.data(), 1, file.size(), stream), file.size());
    std::fclose(stream);
  }
  void TearDown() override { std::remove(path.c_str()); }

  std::vector<uint8_t> file;
  std::string path;
};

TEST_F(CApiTest, FromC) {
  EXPECT_EQ(check_c_api(file.data(), file.size(), path.c_str()), 0);
}

TEST_F(CApiTest, Demo) {
  FILE *pipe = popen((std::string(NNET3_RT_DEMO " ") + path).c_str(), "r");
  ASSERT_TRUE(pipe);
  std::string text;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe))
    text += static_cast<char>(c);
  EXPECT_EQ(pclose(pipe), 0);
  EXPECT_EQ(text, "input input: 2 x 3\n"
                  "output output: 2 x 3, row 0: 1 1 1\n");
}

/// y = 5 x, with the derivative of x.
std::vector<uint8_t> fiveTimes() {
  ProgramWriter writer;
  const int32_t scale = writer.component(
      "s", "FixedScaleComponent", {{"dim", 1}, {"scales", vectorTensor({5})}});
  const int32_t in = writer.input("input", 2, 1), out = writer.zeroed(2, 1);
  writer.propagate(scale, in, out);
  writer.output("output", out);
  writer.command({Opcode::NoOperationMarker});
  CommandData backprop{Opcode::BackpropNoModelUpdate};
  backprop.component = scale;
  backprop.src = writer.input("output", 2, 1, true);
  backprop.dst = writer.zeroed(2, 1);
  writer.command(backprop);
  writer.output("input", backprop.dst, true);
  return writer.finishFile(true);
}

/// Returns a value of a 2 x 1 output, or the status of the error.
std::pair<nnet3rt_status, float> secondRow(const nnet3rt_instance *instance,
                                           const char *name) {
  float values[2] = {};
  const nnet3rt_status status =
      nnet3rt_instance_copy_output(instance, name, values, 2, 1, 1);
  return {status, values[1]};
}

TEST(TwoPartsTest, ForwardAndBackward) {
  const std::vector<uint8_t> file = fiveTimes();
  nnet3rt_program *program = nullptr;
  ASSERT_EQ(nnet3rt_program_load(file.data(), file.size(), nullptr, &program),
            NNET3RT_OK)
      << nnet3rt_last_error();
  nnet3rt_io_info info = {};
  info.struct_size = sizeof(info);
  ASSERT_EQ(nnet3rt_program_input_info(program, 1, &info), NNET3RT_OK);
  EXPECT_STREQ(info.name, "output");
  EXPECT_TRUE(info.is_derivative);
  nnet3rt_instance *instance = nullptr;
  ASSERT_EQ(nnet3rt_instance_create(program, nullptr, &instance), NNET3RT_OK);
  nnet3rt_program_destroy(program);

  using Output = std::pair<nnet3rt_status, float>;
  const float values[2] = {1, 2}, derivatives[2] = {10, 100};
  auto setInput = [&](const char *name, const float *data) {
    return nnet3rt_instance_set_input(instance, name, data, 2, 1, 1);
  };
  EXPECT_EQ(setInput("input", values), NNET3RT_OK);
  EXPECT_EQ(nnet3rt_instance_run(instance), NNET3RT_OK);
  EXPECT_EQ(secondRow(instance, "output"), Output(NNET3RT_OK, 10));
  EXPECT_EQ(secondRow(instance, "input"), Output(NNET3RT_NOT_READY, 0));
  EXPECT_EQ(nnet3rt_instance_run(instance), NNET3RT_NOT_READY);
  EXPECT_EQ(setInput("output", derivatives), NNET3RT_OK);
  EXPECT_EQ(nnet3rt_instance_run(instance), NNET3RT_OK);
  EXPECT_EQ(secondRow(instance, "output"), Output(NNET3RT_OK, 10));
  EXPECT_EQ(secondRow(instance, "input"), Output(NNET3RT_OK, 500));

  // Forward twice.
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(setInput("input", derivatives), NNET3RT_OK);
    EXPECT_EQ(nnet3rt_instance_run(instance), NNET3RT_OK);
    EXPECT_EQ(secondRow(instance, "output"), Output(NNET3RT_OK, 500));
    EXPECT_EQ(nnet3rt_instance_restart(instance), NNET3RT_OK);
  }
  EXPECT_EQ(nnet3rt_instance_restart(nullptr), NNET3RT_INVALID_ARGUMENT);
  nnet3rt_instance_destroy(instance);
}

// Programs of two request shapes share one blob of weights.
TEST(SharedWeightsTest, TwoShapesOneBlob) {
  alignas(64) static const float weights[3] = {1, 10, 100};
  for (int32_t rows : {1, 4}) {
    ProgramWriter writer;
    const int32_t scale =
        writer.component("s", "FixedScaleComponent",
                         {{"dim", 3}, {"scales", vectorTensor({0, 0, 0})}});
    const int32_t in = writer.input("input", rows, 3);
    writer.propagate(scale, in, in);
    writer.output("output", in);
    const std::vector<uint8_t> bytes = writer.finish();
    nnet3rt_load_options options = {};
    options.struct_size = sizeof(options);
    options.weights = weights;
    options.weights_size = sizeof(weights);
    nnet3rt_program *program = nullptr;
    ASSERT_EQ(
        nnet3rt_program_load(bytes.data(), bytes.size(), &options, &program),
        NNET3RT_OK)
        << nnet3rt_last_error();
    nnet3rt_instance *instance = nullptr;
    ASSERT_EQ(nnet3rt_instance_create(program, nullptr, &instance), NNET3RT_OK);
    const Matrix input(rows, 3, 2.0f);
    ASSERT_EQ(nnet3rt_instance_set_input(instance, "input", input.values.data(),
                                         rows, 3, 3),
              NNET3RT_OK);
    ASSERT_EQ(nnet3rt_instance_run(instance), NNET3RT_OK);
    Matrix output(rows, 3);
    ASSERT_EQ(nnet3rt_instance_copy_output(instance, "output",
                                           output.values.data(), rows, 3, 3),
              NNET3RT_OK);
    EXPECT_EQ(output.at(rows - 1, 0), 2);
    EXPECT_EQ(output.at(rows - 1, 2), 200);
    nnet3rt_instance_destroy(instance);
    nnet3rt_program_destroy(program);
  }
}

} // namespace
