//===- WriterTest.cpp - Bytes written, and round trips --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nnet3/Kaldi/IO/Writer.h"
#include "TestUtil.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <limits>
#include <random>

using namespace nnet3::kaldi;
using namespace nnet3::kaldi::test;

namespace {
/// Returns what `write` has written.
std::string written(bool binary,
                    const std::function<void(KaldiWriter &)> &write,
                    unsigned digits = 9) {
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  KaldiWriter writer(os, binary, digits);
  writer.writeHeader();
  write(writer);
  return bytes;
}

TEST(Writer, TextOfAComponent) {
  auto write = [](KaldiWriter &writer) {
    writer.writeToken("<Dim>");
    writer.writeInt32(6);
    writer.writeBool(false);
    writer.writeFloat(1e-05f);
    writer.writeFloat(0.1f);
    writer.writeDouble(48);
    writer.writeInt64(-1);
    writer.writeNewline();
    writer.writeIntVector({-1, 0, 1});
    writer.writeIntPairVector({{0, 1}, {2, -3}});
    writer.writeVector(llvm::ArrayRef<float>());
  };
  EXPECT_EQ(written(false, write),
            "<Dim> 6 F 9.99999975e-06 0.100000001 48 -1 \n[ -1 0 1 ]\n"
            "[ 0,1 2,-3 ]\n [ ]\n");
  EXPECT_EQ(written(false, write, 7),
            "<Dim> 6 F 1e-05 0.1 48 -1 \n[ -1 0 1 ]\n[ 0,1 2,-3 ]\n [ ]\n");
}

TEST(Writer, BinaryOfAComponent) {
  std::string bytes = written(true, [](KaldiWriter &writer) {
    writer.writeToken("<A>");
    writer.writeInt32(16);
    writer.writeBool(true);
    writer.writeFloat(1);
    writer.writeDouble(1.5);
    writer.writeInt64(2);
    writer.writeNewline();
    writer.writeIntVector({3});
    writer.writeIntPairVector({{4, 5}});
  });
  std::string expected("\0B<A> \4\20\0\0\0T\4\0\0\x80?"
                       "\10\0\0\0\0\0\0\xf8?\10\2\0\0\0\0\0\0\0"
                       "\4\1\0\0\0\3\0\0\0\4\1\0\0\0\4\0\0\0\5\0\0\0",
                       57);
  EXPECT_EQ(bytes, expected);
}

TEST(Writer, DoublesReadBackExactly) {
  for (double value : {1.0 / 3, 48.0, 1e300, 0.1, 123456789012.0}) {
    std::string text =
        written(false, [&](KaldiWriter &writer) { writer.writeDouble(value); });
    double back = 0;
    KaldiReader reader(text, "input");
    EXPECT_TRUE(succeeded(reader.readDouble(back)));
    EXPECT_EQ(back, value);
  }
  auto writeThird = [](KaldiWriter &writer) { writer.writeDouble(1.0 / 3); };
  EXPECT_EQ(written(false, writeThird, 7), "0.3333333 ");
}

/// Random bits cover every exponent, and subnormal numbers.
std::vector<float> randomFloats(size_t count) {
  std::mt19937 random(1);
  std::vector<float> values;
  while (values.size() < count) {
    uint32_t bits = random();
    float value;
    std::memcpy(&value, &bits, sizeof(value));
    if (std::isfinite(value))
      values.push_back(value);
  }
  values[0] = std::numeric_limits<float>::infinity();
  values[1] = -std::numeric_limits<float>::infinity();
  values[2] = -0.0F;
  values[3] = std::numeric_limits<float>::denorm_min();
  return values;
}

TEST(Writer, MatricesReadBackExactly) {
  for (bool binary : {false, true}) {
    Matrix matrix(40, 25);
    matrix.data = randomFloats(1000);
    std::string bytes = written(
        binary, [&](KaldiWriter &writer) { writer.writeMatrix(matrix); });
    Matrix back = parseMatrix(bytes);
    ASSERT_EQ(back.data.size(), matrix.data.size());
    EXPECT_EQ(std::memcmp(back.data.data(), matrix.data.data(),
                          matrix.data.size() * sizeof(float)),
              0);
  }
}

TEST(Writer, IntegerVectorsReadBackExactly) {
  std::vector<int32_t> ints = {0, -1, 2147483647, -2147483647 - 1};
  std::vector<std::pair<int32_t, int32_t>> pairs = {{1, -2}, {3, 4}};
  for (bool binary : {false, true}) {
    std::string bytes = written(binary, [&](KaldiWriter &writer) {
      writer.writeIntVector(ints);
      writer.writeIntPairVector(pairs);
      writer.writeIntVector({});
      writer.writeToken("<End>");
    });
    std::vector<int32_t> intsBack, none = {1};
    std::vector<std::pair<int32_t, int32_t>> pairsBack;
    KaldiReader reader(bytes, "input");
    EXPECT_TRUE(succeeded(reader.readHeader()));
    EXPECT_TRUE(succeeded(reader.readIntVector(intsBack)));
    EXPECT_TRUE(succeeded(reader.readIntPairVector(pairsBack)));
    EXPECT_TRUE(succeeded(reader.readIntVector(none)));
    EXPECT_TRUE(succeeded(reader.expectToken("<End>")));
    EXPECT_EQ(intsBack, ints);
    EXPECT_EQ(pairsBack, pairs);
    EXPECT_TRUE(none.empty());
  }
}
} // namespace
