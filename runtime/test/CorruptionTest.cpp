//===- CorruptionTest.cpp - Damaged program files -------------------------===//
//
// With checksums every damage is an error. Without them the verifier sees the
// damage itself: then the program is refused, or it loads and runs, on whatever
// numbers, inside of its memory. A sanitizer build makes the test sharper.
//
//===----------------------------------------------------------------------===//

#include "ProgramWriter.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>

using namespace nnet3::runtime;
using namespace nnet3::runtime::test;

namespace {

/// A small program in which every kind of part occurs.
std::vector<uint8_t> sampleFile(bool withChecksums) {
  ProgramWriter writer;
  const int32_t tdnn =
      writer.component("tdnn", "TdnnComponent",
                       {{"input_dim", 2},
                        {"output_dim", 3},
                        {"time_offsets", std::vector<int64_t>{0, 1}},
                        {"linear_params", tensor(randomMatrix(3, 4, 1))},
                        {"bias_params", vectorTensor({1, 2, 3})}});
  const int32_t norm =
      writer.component("norm", "BatchNormComponent",
                       {{"dim", 3}, {"epsilon", 0.5}, {"test_mode", false}});
  const int32_t drop =
      writer.component("drop", "GeneralDropoutComponent",
                       {{"dim", 3}, {"dropout_proportion", 0.25}});
  const int32_t in = writer.input("input", 5, 2);
  writer.inputs[0].n = {0, 0, 0, 0, 0};
  writer.inputs[0].t = {0, 1, 2, 3, 4};
  const int32_t hidden = writer.zeroed(4, 3), out = writer.zeroed(4, 3);
  writer.propagate(
      tdnn, in, hidden,
      writer.precomputed(
          {{"row_stride", 1}, {"row_offsets", std::vector<int64_t>{0, 1}}}));
  writer.propagate(norm, hidden, hidden);
  writer.propagate(
      drop, hidden, hidden,
      writer.precomputed({{"num_mask_rows", 2},
                          {"indexes", std::vector<int64_t>{0, 1, 0, 1}}}));
  CommandData rows{Opcode::CopyRows};
  rows.dst = out;
  rows.src = hidden;
  rows.table = writer.rowTable({3, -1, 0, 1});
  writer.command(rows);
  CommandData multi{Opcode::AddRowsMulti};
  multi.alpha = 0.5;
  multi.dst = writer.part(out, 0, 2, 0, 3);
  multi.table = writer.multiTable({hidden, -1}, {2, -1});
  writer.command(multi);
  CommandData ranges{Opcode::AddRowRanges};
  ranges.dst = out;
  ranges.src = hidden;
  ranges.table = writer.rangeTable({0, -1, 1, 2}, {2, -1, 4, 3});
  writer.command(ranges);
  CommandData dealloc{Opcode::DeallocMatrix};
  dealloc.dst = hidden;
  writer.command(dealloc);
  writer.output("output", out);
  return writer.finishFile(withChecksums);
}

/// Attributes and precomputed indexes of one type; 6 columns in, 4 rows.
struct TypeSample {
  const char *type;
  int32_t outCols;
  Attrs attrs;
  Attrs precomputed;
};

/// Types with more to verify than a dim.
std::vector<TypeSample> typeSamples() {
  using Ints = std::vector<int64_t>;
  auto vec = [](int32_t n) {
    return vectorTensor(randomMatrix(1, n, uint32_t(n)).values);
  };
  const Matrix w(3, 6, 0.5f);
  const Attr in = {"input_dim", 6}, out3 = {"output_dim", 3};
  const Attr dim = {"dim", 6}, block2 = {"block_dim", 2};
  return {
      {"AffineComponent",
       3,
       {in, out3, {"linear_params", tensor(w)}, {"bias_params", vec(3)}},
       {}},
      {"LinearComponent", 3, {in, out3, {"params", tensor(w)}}, {}},
      {"TdnnComponent",
       3,
       {in, out3, {"time_offsets", Ints{0}}, {"linear_params", tensor(w)}},
       {{"row_stride", 1}, {"row_offsets", Ints{0}}}},
      {"BatchNormComponent",
       6,
       {dim,
        block2,
        {"test_mode", true},
        {"count", 3.0},
        {"stats_mean", vec(2)},
        {"stats_var", vec(2)}},
       {}},
      {"BatchNormComponent", 6, {dim, block2}, {}},
      {"NormalizeComponent",
       9,
       {in, block2, {"add_log_stddev", true}, {"target_rms", 0.5}},
       {}},
      {"GeneralDropoutComponent",
       6,
       {dim,
        block2,
        {"specaugment_max_proportion", 0.5},
        {"specaugment_max_regions", 3}},
       {{"num_mask_rows", 6}, {"indexes", Ints{0, 1, 0, 1}}}},
      {"SpecAugmentTimeMaskComponent",
       6,
       {dim, {"zeroed_proportion", 0.25}, {"time_mask_max_frames", 10}},
       {{"rows", Ints{0, 2, 1, 3}}, {"lengths", Ints{2, 2}}}},
      {"ElementwiseProductComponent", 3, {in, out3}, {}},
      {"SumBlockComponent", 3, {in, out3, {"scale", 2.0}}, {}},
      {"SumGroupComponent", 3, {{"sizes", Ints{1, 2, 3}}}, {}},
      {"PermuteComponent", 6, {{"column_map", Ints{1, 0, 2, 3, 5, 4}}}, {}},
      {"PerElementOffsetComponent", 6, {dim, block2, {"offsets", vec(2)}}, {}},
      {"ScaleAndOffsetComponent",
       6,
       {dim, block2, {"scales", vec(2)}, {"offsets", vec(2)}},
       {}},
      {"SoftmaxComponent", 6, {dim}, {}},
      {"DropoutComponent",
       6,
       {dim, {"dropout_proportion", 0.5}, {"dropout_per_frame", true}},
       {}}};
}

/// A program of one such component, and of the LSTM's nonlinearity.
std::vector<uint8_t> typeFile(const TypeSample &sample) {
  ProgramWriter writer;
  const int32_t component = writer.component("c", sample.type, sample.attrs);
  const int32_t lstm = writer.component(
      "l", "LstmNonlinearityComponent",
      {{"cell_dim", 1}, {"params", tensor(Matrix(3, 1, 0.5f))}});
  const int32_t in = writer.input("input", 4, 6);
  const int32_t out = writer.zeroed(4, sample.outCols);
  writer.propagate(lstm, writer.part(in, 0, 4, 0, 5),
                   writer.part(out, 0, 4, 0, 2));
  writer.propagate(
      component, in, out,
      sample.precomputed.empty() ? -1 : writer.precomputed(sample.precomputed));
  writer.output("output", out);
  return writer.finishFile(/*withChecksums=*/false);
}

/// Loads a copy of exactly these bytes and, where that works, runs it. Returns
/// whether it loaded.
bool loadAndRun(const std::vector<uint8_t> &file) {
  // Aligned memory of the very size, so that a sanitizer sees each byte beyond.
  void *bytes = nullptr;
  if (posix_memalign(&bytes, 64, std::max<size_t>(file.size(), 1)) != 0)
    abort();
  std::copy(file.begin(), file.end(), static_cast<uint8_t *>(bytes));
  bool loaded = false;
  {
    LoadOptions options;
    options.maxArenaBytes = 1 << 20;
    auto program = Program::load(bytes, file.size(), options);
    if (program.ok()) {
      loaded = true;
      auto instance = Instance::create(*program);
      EXPECT_TRUE(instance.ok());
      std::vector<Matrix> inputs;
      for (const IoInfo &io : (*program)->inputs())
        inputs.emplace_back(io.rows, io.cols, 0.5f);
      for (size_t i = 0; i < inputs.size(); ++i)
        EXPECT_TRUE(
            (*instance)
                ->setInput((*program)->inputs()[i].name, inputs[i].view())
                .ok());
      EXPECT_TRUE((*instance)->run().ok());
    } else {
      EXPECT_FALSE(program.status().message().empty());
    }
  }
  free(bytes);
  return loaded;
}

TEST(CorruptionTest, TheSampleIsRight) {
  EXPECT_TRUE(loadAndRun(sampleFile(true)));
  EXPECT_TRUE(loadAndRun(sampleFile(false)));
}

TEST(CorruptionTest, EveryFlippedByteIsFoundByTheChecksums) {
  const std::vector<uint8_t> file = sampleFile(true);
  for (size_t i = 0; i < file.size(); ++i) {
    std::vector<uint8_t> damaged = file;
    damaged[i] ^= 0x41;
    const bool padding = file[i] == 0 && loadAndRun(damaged);
    if (padding) // bytes between the parts carry nothing
      continue;
    EXPECT_FALSE(loadAndRun(damaged)) << "byte " << i;
  }
}

TEST(CorruptionTest, EveryChangedByteIsHarmlessToTheVerifier) {
  const std::vector<uint8_t> file = sampleFile(false);
  size_t refused = 0;
  for (size_t i = 0; i < file.size(); ++i)
    for (uint8_t change : {0x01, 0x02, 0x04, 0x10, 0x40, 0x80, 0xFF}) {
      std::vector<uint8_t> damaged = file;
      damaged[i] ^= change;
      refused += !loadAndRun(damaged);
    }
  EXPECT_GT(refused, file.size()) << "most damage is noticed";
}

TEST(CorruptionTest, EveryChangedByteOfComponents) {
  for (const TypeSample &sample : typeSamples()) {
    const std::vector<uint8_t> file = typeFile(sample);
    ASSERT_TRUE(loadAndRun(file)) << sample.type;
    for (size_t i = 0; i < file.size(); ++i)
      for (uint8_t change : {0x01, 0x40, 0x80, 0xFF}) {
        std::vector<uint8_t> damaged = file;
        damaged[i] ^= change;
        loadAndRun(damaged);
      }
  }
}

TEST(CorruptionTest, WordsOfExtremeValues) {
  const std::vector<uint8_t> file = sampleFile(false);
  for (size_t i = 0; i + 4 <= file.size(); i += 4)
    for (uint32_t value :
         {0u, 0x7FFFFFFFu, 0x80000000u, 0xFFFFFFFFu, 0x10000u}) {
      std::vector<uint8_t> damaged = file;
      std::memcpy(&damaged[i], &value, sizeof(value));
      loadAndRun(damaged);
    }
}

TEST(CorruptionTest, EveryTruncation) {
  for (bool withChecksums : {false, true}) {
    const std::vector<uint8_t> file = sampleFile(withChecksums);
    for (size_t size = 0; size < file.size(); ++size)
      EXPECT_FALSE(loadAndRun({file.begin(), file.begin() + size})) << size;
  }
}

// A FlatBuffer may name the same vector many times; 2000 tables that share one
// of 2000 rows would stand for 16 MB in a file of a few kB.
TEST(CorruptionTest, SharedVectorsAreRefused) {
  flatbuffers::FlatBufferBuilder builder;
  const std::vector<int32_t> rows(2000, 0);
  auto shared = builder.CreateVector(rows);
  std::vector<flatbuffers::Offset<schema::RowTable>> tables;
  for (int i = 0; i < 2000; ++i)
    tables.push_back(schema::CreateRowTable(builder, shared));
  auto list = builder.CreateVector(tables);
  schema::ProgramBuilder program(builder);
  program.add_row_tables(list);
  schema::FinishProgramBuffer(builder, program.Finish());
  auto loaded = Program::load(builder.GetBufferPointer(), builder.GetSize());
  ASSERT_FALSE(loaded.ok());
  EXPECT_EQ(loaded.status().message(), "the vectors of the program overlap");
}

} // namespace
