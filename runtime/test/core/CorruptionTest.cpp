//===- CorruptionTest.cpp - Damaged program files -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With checksums every damage is an error. Without them the verifier gets the
// damaged data: the program is rejected, or it loads and runs within its
// memory, with arbitrary results. A sanitizer build detects more.
//
//===----------------------------------------------------------------------===//

#include "test/support/DamagedProgram.h"
#include "test/support/ProgramWriter.h"

#include <cstring>
#include <gtest/gtest.h>

using namespace nnet3::rt;
using namespace nnet3::rt::test;

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
  CommandData compress{Opcode::CompressMatrix};
  compress.src = hidden;
  compress.table = static_cast<int32_t>(schema::CompressedType::Int16);
  writer.command(compress);
  CommandData decompress{Opcode::DecompressMatrix};
  decompress.dst = decompress.src = hidden;
  writer.command(decompress);
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
