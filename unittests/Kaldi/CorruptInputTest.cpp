//===- CorruptInputTest.cpp - Truncated and flipped files -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "DamageTestUtil.h"
#include "TestUtil.h"
#include "nnet3/Kaldi/IO/Writer.h"
#include "llvm/Support/raw_ostream.h"

using namespace nnet3::kaldi;
using namespace nnet3::kaldi::test;

namespace {
/// Reads all of `contents` as the kind of object in `name`. Returns true on
/// success.
bool readObject(llvm::StringRef name, KaldiReader &reader) {
  (void)reader.readHeader();
  if (name.starts_with("vector")) {
    std::vector<float> values;
    (void)reader.readVector(values);
  } else if (name.starts_with("ints")) {
    std::vector<int32_t> ints;
    std::vector<std::pair<int32_t, int32_t>> pairs;
    (void)reader.readIntVector(ints);
    (void)reader.readIntPairVector(pairs);
  } else {
    Matrix matrix;
    (void)reader.readMatrix(matrix);
  }
  bool failed = reader.hasFailed();
  llvm::consumeError(reader.takeError());
  return !failed;
}

/// The largest allocation for a file of `size` bytes: text with one digit per
/// number becomes twice as large, and growing vectors double.
size_t memoryBound(size_t size) { return 16 * size + 1024; }

bool readMemory(llvm::StringRef name, llvm::StringRef contents) {
  resetLargestAllocation();
  KaldiReader reader(contents, "input");
  bool good = readObject(name, reader);
  EXPECT_LE(largestAllocation(), memoryBound(contents.size()));
  return good;
}

bool readStream(llvm::StringRef name, llvm::StringRef contents) {
  resetLargestAllocation();
  PieceSource source(contents, 16);
  KaldiReader reader(source);
  bool good = readObject(name, reader);
  // A stream is read in pieces of 64 KiB.
  EXPECT_LE(largestAllocation(), memoryBound(contents.size()) + (4 << 16));
  return good;
}

std::string integers(bool binary) {
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  KaldiWriter writer(os, binary);
  writer.writeHeader();
  writer.writeIntVector({1, -2, 3});
  writer.writeIntPairVector({{1, 2}, {3, 4}});
  return bytes;
}

class CorruptInput : public testing::TestWithParam<const char *> {
protected:
  llvm::StringRef name() const { return GetParam(); }
  std::string contents() const {
    if (name().starts_with("ints"))
      return integers(name().ends_with("bin"));
    return slurp(inputPath(name()));
  }
};

TEST_P(CorruptInput, TruncatedAnywhere) {
  std::string whole = contents();
  ASSERT_FALSE(whole.empty());
  // Without its line end, text is still whole.
  size_t needed = whole.size() - (whole.back() == '\n');
  expectOnlyWholeRead(whole, needed, [&](llvm::StringRef part) {
    bool good = readMemory(name(), part);
    EXPECT_EQ(readStream(name(), part), good) << part.size();
    return good;
  });
}

TEST_P(CorruptInput, AnyByteChanged) {
  size_t refused =
      countRefusedChanges(contents(), {0x01, 0x02, 0x10, 0x40, 0x80, 0xff},
                          [&](llvm::StringRef changed) {
                            bool good = readMemory(name(), changed);
                            EXPECT_EQ(readStream(name(), changed), good);
                            return good;
                          });
  EXPECT_GT(refused, 0u);
}

INSTANTIATE_TEST_SUITE_P(
    Files, CorruptInput,
    testing::Values("matrix.float.bin", "matrix.float.values.txt",
                    "matrix.double.bin", "matrix.empty.bin",
                    "matrix.empty.text", "vector.float.bin",
                    "vector.float.values.txt", "vector.double.bin",
                    "compressed.speech-feature.bin",
                    "compressed.two-byte-auto.bin",
                    "compressed.one-byte-auto.bin", "ints.bin", "ints.txt"),
    fileTestName);

TEST(CorruptInput, LyingSizesTakeNoMemory) {
  // 2^31 - 1 rows of 2^31 - 1 columns, in every binary form.
  std::string dims("\4\xff\xff\xff\x7f\4\xff\xff\xff\x7f", 10);
  std::string rawDims("\xff\xff\xff\x7f\xff\xff\xff\x7f", 8);
  for (std::string body :
       {"FM " + dims, "DM " + dims, "CM " + std::string(8, 0) + rawDims,
        "CM2 " + std::string(8, 0) + rawDims,
        "CM3 " + std::string(8, 0) + rawDims}) {
    std::string contents = std::string("\0B", 2) + body;
    EXPECT_FALSE(readMemory("matrix", contents));
    EXPECT_FALSE(readStream("matrix", contents));
  }
  std::string ints("\0B\4\xff\xff\xff\x7f", 7);
  EXPECT_FALSE(readMemory("ints", ints));
  EXPECT_FALSE(readStream("ints", ints));
}

TEST(CorruptInput, WordWithoutEnd) {
  // Not taken into memory whole in search of its end.
  std::string contents(1 << 20, 'x');
  resetLargestAllocation();
  PieceSource source(contents, 4096);
  KaldiReader reader(source);
  std::string token;
  EXPECT_TRUE(failed(reader.readToken(token)));
  EXPECT_LE(largestAllocation(), size_t(4) << 16);
}
} // namespace
