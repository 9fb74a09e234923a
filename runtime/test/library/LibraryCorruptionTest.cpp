//===- LibraryCorruptionTest.cpp - Damaged metadata -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With the checksum every damage is an error. With a checksum of the damaged
// bytes, the verification gets the damaged data: the library is rejected, or it
// opens and runs within its memory, with arbitrary results. A sanitizer build
// detects more.
//
//===----------------------------------------------------------------------===//

#include "LibraryTesting.h"
#include "test/support/ComponentSamples.h"
#include "test/support/DemoNetwork.h"

#include <cstring>
#include <gtest/gtest.h>

using namespace nnet3::rt;
using namespace nnet3::rt::test;

namespace {

/// Arenas above this are not tried.
constexpr uint64_t kMaxBytes = 1 << 20;

/// The demo network with the arena that runDemo() needs.
LibraryWriter sampleNetwork() {
  LibraryWriter writer = demoNetwork();
  for (LibraryWriter::RequestData &request : writer.requests)
    request.arenaFloats = 80;
  return writer;
}

/// Makes all calls of the demo, with the same offsets.
void runDemo(float *arena, const float *, const int32_t *, void *context) {
  for (int32_t call = 0; call < 4; ++call)
    nnet3lib_propagate(context, call, arena + 16, 8, arena + 40, 8);
}

/// Makes the one call of a component.
void runSample(float *arena, const float *, const int32_t *, void *context) {
  nnet3lib_propagate(context, 0, arena, 64, arena + 512, 64);
}

/// Reads a whole signature; returns inputs for a run.
std::vector<Matrix> makeInputs(const nnet3lib_model *model, int32_t request,
                               int32_t numInputs) {
  std::vector<Matrix> inputs;
  for (int32_t i = 0; i < numInputs; ++i) {
    auto matrix = sized<nnet3lib_matrix_info>();
    EXPECT_EQ(nnet3lib_get_input_info(model, request, i, &matrix), NNET3LIB_OK);
    EXPECT_LT(std::strlen(matrix.name), 5000u);
    inputs.emplace_back(matrix.rows, matrix.cols, 0.5f);
    for (const int32_t *list : {matrix.n, matrix.t, matrix.x})
      if (list)
        inputs.back().values[0] += float(list[matrix.rows - 1]);
  }
  return inputs;
}

nnet3lib_status runRequest(const nnet3lib_model *model, int32_t request) {
  auto about = sized<nnet3lib_request_info>();
  EXPECT_EQ(nnet3lib_get_request_info(model, request, &about), NNET3LIB_OK);
  if (about.instance_bytes > kMaxBytes)
    return NNET3LIB_OUT_OF_MEMORY;
  const std::vector<Matrix> matrices =
      makeInputs(model, request, about.num_inputs);
  std::vector<nnet3lib_input> inputs;
  for (const Matrix &matrix : matrices)
    inputs.push_back(inputOf(matrix));
  const InstanceHandle instance = createInstance(model, request);
  EXPECT_TRUE(instance);
  const nnet3lib_status status = nnet3lib_instance_run(
      instance.get(), inputs.data(), about.num_inputs, nullptr, 0);
  EXPECT_TRUE(status == NNET3LIB_OK || status == NNET3LIB_DAMAGED);
  return status;
}

/// Opens the library and runs all of it; gives the first error.
nnet3lib_status openAndRun(const std::vector<uint8_t> &metadata,
                           const std::vector<uint8_t> &weights,
                           nnet3lib_run_fn run = runDemo) {
  TestImage image(metadata, weights, run);
  const Opened opened = open(image.get());
  if (!opened.model) {
    EXPECT_NE(opened.status, NNET3LIB_OK);
    EXPECT_FALSE(opened.message.empty());
    return opened.status;
  }
  auto about = sized<nnet3lib_model_info>();
  EXPECT_EQ(nnet3lib_get_model_info(opened.model.get(), &about), NNET3LIB_OK);
  nnet3lib_status first = NNET3LIB_OK;
  for (int32_t i = 0; i < about.num_requests; ++i)
    if (const nnet3lib_status status = runRequest(opened.model.get(), i))
      first = first ? first : status;
  return first;
}

TEST(LibraryCorruptionTest, TheSampleIsRight) {
  LibraryWriter writer = sampleNetwork();
  const std::vector<uint8_t> metadata = writer.finish();
  EXPECT_EQ(openAndRun(metadata, writer.weights), NNET3LIB_OK);
}

TEST(LibraryCorruptionTest, EveryFlippedByteIsFoundByTheChecksum) {
  LibraryWriter writer = sampleNetwork();
  const std::vector<uint8_t> metadata = writer.finish();
  const uint64_t checksum =
      TestImage(metadata, writer.weights, runDemo).image.metadata_checksum;
  for (size_t i = 0; i < metadata.size(); ++i) {
    std::vector<uint8_t> damaged = metadata;
    damaged[i] ^= 0x41;
    TestImage image(damaged, writer.weights, runDemo);
    image.image.metadata_checksum = checksum;
    EXPECT_EQ(open(image.get()).status, NNET3LIB_DAMAGED) << "byte " << i;
  }
}

TEST(LibraryCorruptionTest, EveryChangedByteIsHarmless) {
  LibraryWriter writer = sampleNetwork();
  const std::vector<uint8_t> metadata = writer.finish();
  size_t refused = 0;
  for (size_t i = 0; i < metadata.size(); ++i)
    for (uint8_t change : {0x01, 0x02, 0x04, 0x10, 0x40, 0x80, 0xFF}) {
      std::vector<uint8_t> damaged = metadata;
      damaged[i] ^= change;
      refused += openAndRun(damaged, writer.weights) != NNET3LIB_OK;
    }
  EXPECT_GT(refused, metadata.size()) << "most damage is noticed";
}

TEST(LibraryCorruptionTest, WordsOfExtremeValues) {
  LibraryWriter writer = sampleNetwork();
  const std::vector<uint8_t> metadata = writer.finish();
  for (size_t i = 0; i + 4 <= metadata.size(); i += 4)
    for (uint32_t value :
         {0u, 0x7FFFFFFFu, 0x80000000u, 0xFFFFFFFFu, 0x10000u}) {
      std::vector<uint8_t> damaged = metadata;
      std::memcpy(&damaged[i], &value, sizeof(value));
      openAndRun(damaged, writer.weights);
    }
}

TEST(LibraryCorruptionTest, EveryTruncation) {
  LibraryWriter writer = sampleNetwork();
  const std::vector<uint8_t> metadata = writer.finish();
  for (size_t size = 0; size < metadata.size(); ++size)
    EXPECT_NE(
        openAndRun({metadata.begin(), metadata.begin() + size}, writer.weights),
        NNET3LIB_OK)
        << size;
}

TEST(LibraryCorruptionTest, EveryComponent) {
  for (const ComponentSample &sample : componentSamples()) {
    LibraryWriter writer;
    writer.components = {{"c", sample.type, sample.attrs}};
    writer.calls = {{0, sample.inRows, sample.inCols, sample.outRows,
                     sample.outCols, sample.precomputed, 0}};
    const auto stride = static_cast<uint64_t>(sample.inCols);
    writer.requests = {
        {"r",
         1024,
         {{"input", sample.inRows, sample.inCols, 0, stride, {}, {}, {}}},
         {}}};
    const std::vector<uint8_t> metadata = writer.finish();
    EXPECT_EQ(openAndRun(metadata, writer.weights, runSample), NNET3LIB_OK)
        << sample.type;
    for (size_t i = 0; i < metadata.size(); ++i)
      for (uint8_t change : {0x01, 0x40, 0x80, 0xFF}) {
        std::vector<uint8_t> damaged = metadata;
        damaged[i] ^= change;
        openAndRun(damaged, writer.weights, runSample);
      }
  }
}

} // namespace
