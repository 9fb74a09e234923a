//===- LibraryBlocksTest.cpp - Requests that run block by block -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LibraryTesting.h"

#include <atomic>
#include <gtest/gtest.h>

using namespace nnet3::rt;
using namespace nnet3::rt::test;

namespace {

constexpr int32_t kBlocks = 4, kRows = 12, kBlockRows = kRows / kBlocks;

std::atomic<int> numRuns{0};

/// Output row r of a block: the input row, its columns the other way round, and
/// the number of the row. The memory of a block is used for something else
/// before, as that of matrices is.
void runBlock(float *arena, const float *weights, const int32_t *, void *) {
  ++numRuns;
  const float *in = arena;
  float *out = arena + 16;
  for (int32_t i = 0; i < 16; ++i)
    out[i] = -1;
  for (int32_t row = 0; row < kBlockRows; ++row) {
    for (int32_t column = 0; column < 2; ++column)
      out[3 * row + column] = weights[0] * in[4 * row + 1 - column];
    out[3 * row + 2] = static_cast<float>(row);
  }
}

/// A request whose input has a stride of its own in the arena.
LibraryWriter makeWriter() {
  LibraryWriter writer;
  writer.producer = "by hand";
  writer.network = "blocks";
  writer.codeWeights = {2};
  writer.requests.push_back({"request",
                             /*arenaFloats=*/32,
                             {{"input", kRows, 2, 0, 4, {}, {}, {}}},
                             {{"output", kRows, 3, 16, 3, {}, {}, {}}},
                             {},
                             {},
                             kBlocks});
  return writer;
}

Matrix makeInput() {
  Matrix input(kRows, 2);
  for (size_t i = 0; i < input.values.size(); ++i)
    input.values[i] = static_cast<float>(i);
  return input;
}

void expectOutput(const Matrix &output) {
  for (int32_t row = 0; row < kRows; ++row) {
    EXPECT_EQ(output.values[3 * row], 2.0f * (2 * row + 1));
    EXPECT_EQ(output.values[3 * row + 1], 2.0f * (2 * row));
    EXPECT_EQ(output.values[3 * row + 2], row % kBlockRows);
  }
}

class LibraryBlocksTest : public ::testing::Test {
protected:
  void SetUp() override {
    ASSERT_EQ(opened.status, NNET3LIB_OK) << opened.message;
    numRuns = 0;
  }

  InstanceHandle create(int32_t numThreads) {
    auto options = sized<nnet3lib_instance_options>();
    options.num_threads = numThreads;
    nnet3lib_instance *instance = nullptr;
    EXPECT_EQ(nnet3lib_instance_create_with(opened.model.get(), 0, &options,
                                            &instance),
              NNET3LIB_OK);
    return InstanceHandle(instance);
  }

  void expectRight(nnet3lib_instance *instance) {
    const Matrix input = makeInput();
    Matrix output(kRows, 3);
    const nnet3lib_input in = inputOf(input);
    const nnet3lib_output out = outputOf(output);
    ASSERT_EQ(nnet3lib_instance_run(instance, &in, 1, &out, 1), NNET3LIB_OK);
    expectOutput(output);
    EXPECT_EQ(numRuns, kBlocks);
  }

  LibraryWriter writer = makeWriter();
  TestImage image{writer, runBlock};
  Opened opened = open(image.get());
};

} // namespace

TEST_F(LibraryBlocksTest, TheSignatureHasAllRows) {
  auto info = sized<nnet3lib_matrix_info>();
  ASSERT_EQ(nnet3lib_get_input_info(opened.model.get(), 0, 0, &info),
            NNET3LIB_OK);
  EXPECT_EQ(info.rows, kRows);
}

// Fewer threads than blocks share them; more share the rows of commands.
TEST_F(LibraryBlocksTest, AnyNumberOfThreads) {
  for (int32_t numThreads : {1, 2, 3, 4, 5}) {
    SCOPED_TRACE(numThreads);
    numRuns = 0;
    expectRight(create(numThreads).get());
  }
}

TEST_F(LibraryBlocksTest, MemoryOfTheCaller) {
  auto info = sized<nnet3lib_request_info>();
  ASSERT_EQ(nnet3lib_get_request_info(opened.model.get(), 0, &info),
            NNET3LIB_OK);
  const AlignedCopy memory(std::vector<uint8_t>(info.instance_bytes));
  nnet3lib_instance *instance = nullptr;
  ASSERT_EQ(nnet3lib_instance_create_in(opened.model.get(), 0,
                                        const_cast<void *>(memory.data()),
                                        info.instance_bytes, &instance),
            NNET3LIB_OK);
  expectRight(InstanceHandle(instance).get());
}

// The outputs stay in the instance until its next run.
TEST_F(LibraryBlocksTest, OutputsInPlace) {
  const InstanceHandle instance = create(2);
  const Matrix input = makeInput();
  const nnet3lib_input in = inputOf(input);
  ASSERT_EQ(nnet3lib_instance_run(instance.get(), &in, 1, nullptr, 0),
            NNET3LIB_OK);
  const float *data = nullptr;
  int64_t stride = 0;
  ASSERT_EQ(nnet3lib_instance_get_output(instance.get(), 0, &data, &stride),
            NNET3LIB_OK);
  Matrix output(kRows, 3);
  for (int32_t row = 0; row < kRows; ++row)
    for (int32_t column = 0; column < 3; ++column)
      output.values[3 * row + column] = data[row * stride + column];
  expectOutput(output);
}

TEST(LibraryBlocksLoadTest, DamagedNumbers) {
  auto expectDamaged = [](void (*change)(LibraryWriter::RequestData &),
                          const std::string &message) {
    LibraryWriter writer = makeWriter();
    change(writer.requests[0]);
    const Opened opened = open(TestImage(writer, runBlock).get());
    EXPECT_EQ(opened.status, NNET3LIB_DAMAGED);
    EXPECT_EQ(opened.message, message);
  };
  for (auto change : {+[](LibraryWriter::RequestData &r) { r.blocks = 0; },
                      +[](LibraryWriter::RequestData &r) { r.blocks = -4; }})
    expectDamaged(change, "request 'request' has no number of blocks");
  expectDamaged([](LibraryWriter::RequestData &r) { r.blocks = 5; },
                "matrix 'input' has rows that are not in blocks");
  expectDamaged([](LibraryWriter::RequestData &r) { r.arenaFloats = 20; },
                "matrix 'output' is outside of the arena, or not aligned");
  expectDamaged(
      [](LibraryWriter::RequestData &r) {
        r.blocks = 1 << 30;
        r.arenaFloats = 4096;
        r.inputs[0].rows = r.outputs[0].rows = 1 << 30;
        r.outputs[0].cols = 2048;
        r.outputs[0].stride = 2048;
      },
      "request 'request' has too large outputs");
}
