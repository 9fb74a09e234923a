//===- LibraryLoadTest.cpp - Errors in a library's metadata ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LibraryTesting.h"
#include "demo_code.h"
#include "nnet3/runtime/library_generated.h"
#include "test/support/DemoNetwork.h"

#include <functional>
#include <gtest/gtest.h>

using namespace nnet3::rt;
using namespace nnet3::rt::test;

namespace {

#ifdef __x86_64__
constexpr bool isX86 = true;
#else
constexpr bool isX86 = false;
#endif

void runNothing(float *, const float *, const int32_t *, void *) {}

/// Opens the demo network after \p change.
Opened openChanged(const std::function<void(LibraryWriter &)> &change) {
  LibraryWriter writer = demoNetwork();
  change(writer);
  return open(TestImage(writer, runNothing).get());
}

void expectDamaged(const std::function<void(LibraryWriter &)> &change,
                   const std::string &message) {
  const Opened opened = openChanged(change);
  EXPECT_EQ(opened.status, NNET3LIB_DAMAGED) << message;
  EXPECT_EQ(opened.message, message);
  EXPECT_FALSE(opened.model);
}

/// Creates an instance of the demo network and runs it, with \p expected as
/// the result.
InstanceHandle runOnZeros(const Opened &opened, nnet3lib_status expected) {
  InstanceHandle instance = createInstance(opened.model.get());
  const Matrix in(3, 4);
  const nnet3lib_input input = inputOf(in);
  EXPECT_EQ(nnet3lib_instance_run(instance.get(), &input, 1, nullptr, 0),
            expected);
  return instance;
}

TEST(LibraryLoadTest, TheDemoIsRight) {
  const Opened opened = openChanged([](LibraryWriter &) {});
  EXPECT_EQ(opened.status, NNET3LIB_OK) << opened.message;
}

TEST(LibraryLoadTest, Requests) {
  expectDamaged([](LibraryWriter &writer) { writer.requests.clear(); },
                "the library has no requests");
  expectDamaged(
      [](LibraryWriter &writer) { writer.requests[1].name = "chunk"; },
      "request 'chunk' is there twice");
  expectDamaged(
      [](LibraryWriter &writer) {
        writer.requests[0].outputs[1].name = "hidden";
      },
      "output 'hidden' is there twice");
  expectDamaged(
      [](LibraryWriter &writer) {
        writer.requests[0].arenaFloats = uint64_t(1) << 62;
      },
      "request 'chunk' has no code, or too large an arena");
  expectDamaged(
      [](LibraryWriter &writer) { writer.requests[0].inputs[0].rows = 0; },
      "input 'input' has dims 0x4");
  expectDamaged(
      [](LibraryWriter &writer) { writer.requests[0].inputs[0].t.pop_back(); },
      "input 'input' has index lists that do not fit its rows");
}

TEST(LibraryLoadTest, Placements) {
  using Change = void (*)(LibraryWriter::MatrixData &);
  for (Change change : {
           Change([](LibraryWriter::MatrixData &m) { m.offset = 80; }),
           Change([](LibraryWriter::MatrixData &m) { m.offset = 17; }),
           Change([](LibraryWriter::MatrixData &m) { m.offset = ~0ull - 15; }),
           Change([](LibraryWriter::MatrixData &m) { m.stride = 4; }),
           Change([](LibraryWriter::MatrixData &m) { m.stride = 30; }),
           Change([](LibraryWriter::MatrixData &m) { m.stride = ~0ull; }),
       })
    expectDamaged(
        [&](LibraryWriter &writer) { change(writer.requests[0].outputs[0]); },
        "matrix 'hidden' is outside of the arena, or not aligned");
  // The last row may end where the arena does.
  const Opened opened = openChanged([](LibraryWriter &writer) {
    writer.requests[0].outputs[0].stride = (80 - 16 - 5) / 2;
  });
  EXPECT_EQ(opened.status, NNET3LIB_OK) << opened.message;
}

TEST(LibraryLoadTest, Calls) {
  expectDamaged([](LibraryWriter &writer) { writer.calls[1].component = 3; },
                "call 1 is of component 3, which does not exist");
  expectDamaged([](LibraryWriter &writer) { writer.calls[1].component = -1; },
                "call 1 is of component -1, which does not exist");
  expectDamaged([](LibraryWriter &writer) { writer.calls[0].inCols = 4; },
                "call 0 has other dims than its component");
  expectDamaged([](LibraryWriter &writer) { writer.calls[0].outRows = 0; },
                "call 0 has other dims than its component");
  expectDamaged(
      [](LibraryWriter &writer) { writer.calls[0].inRows = 2; },
      "component 'tanh' of type TanhComponent expects as many input as output "
      "rows, but got 2 and 3");
  expectDamaged(
      [](LibraryWriter &writer) { writer.calls[2].precomputed.clear(); },
      "component 'tdnn' of type TdnnComponent needs precomputed indexes");
  expectDamaged(
      [](LibraryWriter &writer) {
        writer.calls[0].precomputed = {{"row_stride", 1}};
      },
      "simple components take no precomputed indexes");
  expectDamaged(
      [](LibraryWriter &writer) {
        writer.calls[2].precomputed = {{"row_stride", 1}};
      },
      "precomputed indexes of component 'tdnn' of type TdnnComponent has no "
      "attribute 'row_offsets'");
}

TEST(LibraryLoadTest, Components) {
  expectDamaged(
      [](LibraryWriter &writer) { writer.components[0].type = "Tanh"; },
      "component 'tanh' of type Tanh is of a type that this runtime does not "
      "have");
}

TEST(LibraryLoadTest, CpuFeatures) {
  auto openWith = [](std::vector<std::string> names) {
    return openChanged(
        [&](LibraryWriter &writer) { writer.cpuFeatures = std::move(names); });
  };
  EXPECT_EQ(openWith({}).status, NNET3LIB_OK);
  EXPECT_EQ(openWith({"x86-64", "sse2"}).status,
            isX86 ? NNET3LIB_OK : NNET3LIB_WRONG_CPU);
  const Opened opened = openWith({"x86-64-v5"});
  EXPECT_EQ(opened.status, NNET3LIB_WRONG_CPU);
  EXPECT_EQ(opened.message, "the library needs the instructions x86-64-v5, "
                            "which this machine does not have");
  if (isX86)
    EXPECT_EQ(openWith({"x86-64", "avx1024"}).message,
              "the library needs the instructions avx1024, which this machine "
              "does not have");
}

TEST(LibraryLoadTest, Alternative) {
  LibraryWriter here = demoNetwork(), elsewhere = demoNetwork();
  elsewhere.cpuFeatures = {"abacus"};
  TestImage right(here, runNothing), wrong(elsewhere, runNothing);
  nnet3lib_image image = wrong.get();
  EXPECT_EQ(open(image).status, NNET3LIB_WRONG_CPU);
  image.alternative = &right.get();
  EXPECT_EQ(open(image).status, NNET3LIB_OK);
  // Nothing but the CPU is a reason to go on.
  ++image.metadata_checksum;
  EXPECT_EQ(open(image).status, NNET3LIB_DAMAGED);
  // The message is that of the last one.
  image = wrong.get();
  elsewhere.cpuFeatures = {"quipu"};
  TestImage other(elsewhere, runNothing);
  image.alternative = &other.get();
  const Opened opened = open(image);
  EXPECT_EQ(opened.status, NNET3LIB_WRONG_CPU);
  EXPECT_EQ(opened.message, "the library needs the instructions quipu, which "
                            "this machine does not have");
}

/// The tables in the latest call of runWithTables().
const int32_t *givenTables = nullptr;
void runWithTables(float *, const float *, const int32_t *tables, void *) {
  givenTables = tables;
}

TEST(LibraryLoadTest, RowTables) {
  LibraryWriter writer = demoNetwork();
  // 3 times one row and none, then row 2.
  writer.rowTables = {2, 3, 5, 3, 0, 1, 1, 0, 2};
  TestImage image(writer, runWithTables);
  const Opened opened = open(image.get());
  runOnZeros(opened, NNET3LIB_OK);
  EXPECT_EQ(std::vector<int32_t>(givenTables, givenTables + 7),
            std::vector<int32_t>({1, -1, 6, -1, 11, -1, 2}));
}

TEST(LibraryLoadTest, DamagedRowTables) {
  auto expectError = [](std::vector<int32_t> code, const char *message) {
    expectDamaged(
        [&](LibraryWriter &writer) { writer.rowTables = std::move(code); },
        message);
  };
  expectError({0}, "the row tables are malformed, or too large");
  expectError({2, 1 << 20, 0, 6, 2, 1 << 9, 0, 2, 0, 0},
              "the row tables are malformed, or too large");
  expectError({2, 2, 1, 2, 0, 0x7fffffff},
              "an entry of the row tables is too large");
}

TEST(LibraryLoadTest, Precision) {
  for (const char *name : {"", "int8"}) {
    LibraryWriter writer = demoNetwork();
    writer.precision = name;
    const TestImage image(writer, runNothing);
    const Opened opened = open(image.get());
    ASSERT_EQ(opened.status, NNET3LIB_OK);
    const char *precision = nullptr;
    ASSERT_EQ(nnet3lib_get_precision(opened.model.get(), &precision),
              NNET3LIB_OK);
    EXPECT_STREQ(precision, *name ? name : "f32");
    EXPECT_EQ(nnet3lib_get_precision(opened.model.get(), nullptr),
              NNET3LIB_NULL_ARGUMENT);
  }
  const char *precision = nullptr;
  EXPECT_EQ(nnet3lib_get_precision(nullptr, &precision),
            NNET3LIB_NULL_ARGUMENT);
}

TEST(LibraryLoadTest, Layers) {
  for (const char *text : {"", "affine1 int8 0.002000\noutput f32\n"}) {
    LibraryWriter writer = demoNetwork();
    writer.layers = text;
    const TestImage image(writer, runNothing);
    const Opened opened = open(image.get());
    ASSERT_EQ(opened.status, NNET3LIB_OK);
    const char *layers = nullptr;
    ASSERT_EQ(nnet3lib_get_layers(opened.model.get(), &layers), NNET3LIB_OK);
    EXPECT_STREQ(layers, text);
    EXPECT_EQ(nnet3lib_get_layers(opened.model.get(), nullptr),
              NNET3LIB_NULL_ARGUMENT);
  }
  const char *layers = nullptr;
  EXPECT_EQ(nnet3lib_get_layers(nullptr, &layers), NNET3LIB_NULL_ARGUMENT);
}

TEST(LibraryLoadTest, Images) {
  auto expectStatus = [](nnet3lib_status status,
                         const std::function<void(nnet3lib_image &)> &change) {
    nnet3lib_image image = demo_image;
    change(image);
    EXPECT_EQ(open(image).status, status) << open(image).message;
  };
  expectStatus(NNET3LIB_OK, [](nnet3lib_image &) {});
  expectStatus(NNET3LIB_WRONG_VERSION,
               [](nnet3lib_image &image) { ++image.version; });
  expectStatus(NNET3LIB_DAMAGED,
               [](nnet3lib_image &image) { image.metadata = nullptr; });
  expectStatus(NNET3LIB_DAMAGED,
               [](nnet3lib_image &image) { image.metadata_size = 12; });
  expectStatus(NNET3LIB_DAMAGED,
               [](nnet3lib_image &image) { image.metadata_size -= 8; });
  expectStatus(NNET3LIB_DAMAGED,
               [](nnet3lib_image &image) { ++image.metadata_checksum; });
  expectStatus(NNET3LIB_DAMAGED,
               [](nnet3lib_image &image) { image.runs = nullptr; });
  static const nnet3lib_run_fn noCode[2] = {runNothing, nullptr};
  expectStatus(NNET3LIB_DAMAGED,
               [](nnet3lib_image &image) { image.runs = noCode; });
}

/// Calls that the metadata does not have, and operands outside of the arena.
void runWrongCall(float *arena, const float *, const int32_t *, void *context) {
  nnet3lib_propagate(context, 4, arena, 5, arena, 5);
}
void runOutside(float *arena, const float *, const int32_t *, void *context) {
  nnet3lib_propagate(context, 0, arena + 64, 8, arena + 64, 8);
}
void runBefore(float *arena, const float *, const int32_t *, void *context) {
  nnet3lib_propagate(context, 0, arena - 1, 5, arena, 5);
}

TEST(LibraryLoadTest, CodeThatDoesNotFit) {
  for (nnet3lib_run_fn run : {runWrongCall, runOutside, runBefore}) {
    LibraryWriter writer = demoNetwork();
    TestImage image(writer, run);
    const Opened opened = open(image.get());
    const InstanceHandle instance = runOnZeros(opened, NNET3LIB_DAMAGED);
    const float *data = nullptr;
    EXPECT_EQ(nnet3lib_instance_get_output(instance.get(), 0, &data, nullptr),
              NNET3LIB_NOT_READY);
  }
}

} // namespace
