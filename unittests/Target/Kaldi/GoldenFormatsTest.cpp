//===- GoldenFormatsTest.cpp - Matrices and vectors of the reference ------===//
//
// The files in test/Inputs/formats were written by the reference. Their text
// has 9 (float) or 17 (double) digits, so equality below is exact.
//
//===----------------------------------------------------------------------===//
#include "TestUtil.h"
#include "nnet3/Target/Kaldi/Writer.h"
#include "llvm/Support/raw_ostream.h"

using namespace nnet3;
using namespace nnet3::test;

namespace {
class GoldenCompressed : public testing::TestWithParam<const char *> {};

TEST_P(GoldenCompressed, DecodesToTheLastBit) {
  std::string prefix = std::string("compressed.") + GetParam();
  Matrix decoded = parseMatrix(slurp(inputPath(prefix + ".bin")));
  Matrix expected = parseMatrix(slurp(inputPath(prefix + ".decompressed.txt")));
  ASSERT_EQ(decoded.rows, expected.rows);
  ASSERT_EQ(decoded.cols, expected.cols);
  for (int64_t r = 0; r < expected.rows; ++r)
    for (int64_t c = 0; c < expected.cols; ++c)
      EXPECT_EQ(decoded(r, c), expected(r, c)) << "row " << r << " col " << c;
}

TEST_P(GoldenCompressed, TextFormIsAPlainMatrix) {
  std::string prefix = std::string("compressed.") + GetParam();
  std::string text = slurp(inputPath(prefix + ".text"));
  std::string written;
  llvm::raw_string_ostream os(written);
  KaldiWriter(os, /*binary=*/false)
      .writeMatrix(parseMatrix(slurp(inputPath(prefix + ".bin"))));
  EXPECT_EQ(written, text);
}

INSTANTIATE_TEST_SUITE_P(Methods, GoldenCompressed,
                         testing::Values("automatic-20rows", "automatic-4rows",
                                         "one-byte-auto", "one-byte-unsigned",
                                         "one-byte-zero-one", "speech-feature",
                                         "speech-feature-constant",
                                         "speech-feature-short",
                                         "two-byte-auto", "two-byte-signed"),
                         [](const testing::TestParamInfo<const char *> &info) {
                           std::string name = info.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

/// Reads `contents` with `read` into a T and expects nothing to be left.
template <typename T>
T parseWith(llvm::LogicalResult (KaldiReader::*read)(T &),
            const std::string &contents) {
  KaldiReader reader(contents, "input");
  T value{};
  (void)reader.readHeader();
  (void)(reader.*read)(value);
  EXPECT_FALSE(reader.hasFailed());
  llvm::consumeError(reader.takeError());
  EXPECT_TRUE(reader.atEnd());
  return value;
}

/// Expects that `binary` and `text` hold the same T and that writing it gives
/// both files again, byte for byte.
template <typename T>
void expectSameObject(
    llvm::LogicalResult (KaldiReader::*read)(T &),
    const std::function<void(KaldiWriter &, const T &)> &write,
    llvm::StringRef binaryName, llvm::StringRef textName) {
  std::string binary = slurp(inputPath(binaryName));
  std::string text = slurp(inputPath(textName));
  T fromBinary = parseWith(read, binary);
  EXPECT_EQ(fromBinary, parseWith(read, text));

  std::string binaryAgain, textAgain;
  llvm::raw_string_ostream binaryStream(binaryAgain), textStream(textAgain);
  KaldiWriter binaryWriter(binaryStream, /*binary=*/true);
  // The values of double files have all 17 digits, needed or not.
  bool isDouble = binaryName.contains("double");
  KaldiWriter textWriter(textStream, /*binary=*/false, isDouble ? 17 : 9);
  binaryWriter.writeHeader();
  textWriter.writeHeader();
  write(binaryWriter, fromBinary);
  write(textWriter, fromBinary);
  EXPECT_EQ(binaryAgain, binary);
  EXPECT_EQ(textAgain, text);
}

TEST(GoldenFormats, FloatMatrix) {
  expectSameObject<Matrix>(
      &KaldiReader::readMatrix,
      [](KaldiWriter &writer, const Matrix &m) { writer.writeMatrix(m); },
      "matrix.float.bin", "matrix.float.values.txt");
}

TEST(GoldenFormats, DoubleMatrix) {
  expectSameObject<DoubleMatrix>(
      &KaldiReader::readMatrix,
      [](KaldiWriter &writer, const DoubleMatrix &m) { writer.writeMatrix(m); },
      "matrix.double.bin", "matrix.double.values.txt");
}

TEST(GoldenFormats, EmptyMatrix) {
  expectSameObject<Matrix>(
      &KaldiReader::readMatrix,
      [](KaldiWriter &writer, const Matrix &m) { writer.writeMatrix(m); },
      "matrix.empty.bin", "matrix.empty.text");
}

TEST(GoldenFormats, FloatVector) {
  expectSameObject<std::vector<float>>(
      &KaldiReader::readVector,
      [](KaldiWriter &writer, const std::vector<float> &v) {
        writer.writeVector(llvm::ArrayRef<float>(v));
      },
      "vector.float.bin", "vector.float.values.txt");
}

TEST(GoldenFormats, DoubleVector) {
  expectSameObject<std::vector<double>>(
      &KaldiReader::readVector,
      [](KaldiWriter &writer, const std::vector<double> &v) {
        writer.writeVector(llvm::ArrayRef<double>(v));
      },
      "vector.double.bin", "vector.double.values.txt");
}

TEST(GoldenFormats, FloatReaderTakesDoubles) {
  Matrix narrowed = parseMatrix(slurp(inputPath("matrix.double.bin")));
  auto wide = parseWith<DoubleMatrix>(&KaldiReader::readMatrix,
                                      slurp(inputPath("matrix.double.bin")));
  ASSERT_EQ(narrowed.data.size(), wide.data.size());
  for (size_t i = 0; i < wide.data.size(); ++i)
    EXPECT_EQ(narrowed.data[i], static_cast<float>(wide.data[i]));
}
} // namespace
