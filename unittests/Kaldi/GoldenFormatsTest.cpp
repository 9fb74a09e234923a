//===- GoldenFormatsTest.cpp - Matrices and vectors of the reference ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The files in test/Inputs/formats were written by the reference. Their text
// has 9 (float) or 17 (double) digits, so equality below is exact.
//
//===----------------------------------------------------------------------===//
#include "TestUtil.h"
#include "nnet3/Kaldi/Examples/RowIndex.h"
#include "nnet3/Kaldi/IO/Writer.h"
#include "nnet3/Kaldi/Matrix/GeneralMatrix.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <map>

using namespace nnet3::kaldi;
using namespace nnet3::kaldi::test;

namespace {
/// Reads `contents` with `read` and writes it with `write`.
template <typename T, typename ReadFn, typename WriteFn>
std::string rewrite(ReadFn read, WriteFn write, const std::string &contents,
                    bool binary) {
  KaldiReader reader(contents, "input");
  T value;
  (void)reader.readHeader();
  (void)read(reader, value);
  if (llvm::Error error = reader.takeError())
    ADD_FAILURE() << llvm::toString(std::move(error));
  if (!reader.isBinary())
    reader.skipSpace();
  EXPECT_TRUE(reader.atEnd());
  std::string written;
  llvm::raw_string_ostream os(written);
  KaldiWriter writer(os, binary);
  writer.writeHeader();
  write(writer, value);
  return written;
}

/// Expects that the files `prefix`.bin and .text hold the same T, and that each
/// is rewritten to both, byte for byte.
template <typename T, typename ReadFn, typename WriteFn>
void expectBothForms(ReadFn read, WriteFn write, const std::string &prefix) {
  std::string binary = slurp(inputPath(prefix + ".bin"));
  std::string text = slurp(inputPath(prefix + ".text"));
  for (const std::string *from : {&binary, &text}) {
    EXPECT_EQ(llvm::toHex(rewrite<T>(read, write, *from, /*binary=*/true)),
              llvm::toHex(binary));
    EXPECT_EQ(rewrite<T>(read, write, *from, /*binary=*/false), text);
  }
}

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

/// Returns the method with which the reference wrote a file.
CompressionMethod methodOf(const std::string &name) {
  static const std::map<std::string, CompressionMethod> methods = {
      {"automatic-20rows", CompressionMethod::Automatic},
      {"automatic-4rows", CompressionMethod::Automatic},
      {"one-byte-auto", CompressionMethod::OneByteAuto},
      {"one-byte-unsigned", CompressionMethod::OneByteUnsigned},
      {"one-byte-zero-one", CompressionMethod::OneByteZeroOne},
      {"speech-feature", CompressionMethod::SpeechFeature},
      {"speech-feature-constant", CompressionMethod::SpeechFeature},
      {"speech-feature-short", CompressionMethod::SpeechFeature},
      {"two-byte-auto", CompressionMethod::TwoByteAuto},
      {"two-byte-signed", CompressionMethod::TwoByteSigned},
  };
  return methods.at(name);
}

TEST_P(GoldenCompressed, EncodesToTheSameBytes) {
  std::string prefix = std::string("compressed.") + GetParam();
  Matrix original = parseMatrix(slurp(inputPath(prefix + ".original.txt")));
  std::string written;
  llvm::raw_string_ostream os(written);
  KaldiWriter writer(os, /*binary=*/true);
  writer.writeHeader();
  writeGeneralMatrix(writer, CompressedMatrix(original, methodOf(GetParam())));
  EXPECT_EQ(llvm::toHex(written),
            llvm::toHex(slurp(inputPath(prefix + ".bin"))));
}

TEST_P(GoldenCompressed, StaysCompressed) {
  std::string bytes =
      slurp(inputPath(std::string("compressed.") + GetParam() + ".bin"));
  EXPECT_EQ(rewrite<GeneralMatrix>(readGeneralMatrix, writeGeneralMatrix, bytes,
                                   /*binary=*/true),
            bytes);
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

/// Reads `contents` with `read` into a T, and expects no bytes after it.
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

TEST(GoldenFormats, SparseMatrix) {
  for (const char *name : {"sparse", "general.sparse"})
    expectBothForms<GeneralMatrix>(readGeneralMatrix, writeGeneralMatrix, name);
}

TEST(GoldenFormats, GeneralMatrices) {
  expectBothForms<GeneralMatrix>(readGeneralMatrix, writeGeneralMatrix,
                                 "general.full");
  std::string binary = slurp(inputPath("general.compressed.bin"));
  std::string text = slurp(inputPath("general.compressed.text"));
  auto read = readGeneralMatrix;
  auto write = writeGeneralMatrix;
  EXPECT_EQ(rewrite<GeneralMatrix>(read, write, binary, /*binary=*/true),
            binary);
  EXPECT_EQ(rewrite<GeneralMatrix>(read, write, binary, /*binary=*/false),
            text);
}

TEST(GoldenFormats, SparseValues) {
  std::string bytes = slurp(inputPath("sparse.bin"));
  KaldiReader reader(bytes, "input");
  GeneralMatrix sparse;
  ASSERT_TRUE(succeeded(reader.readHeader()));
  ASSERT_TRUE(succeeded(readGeneralMatrix(reader, sparse)));
  EXPECT_EQ(toFull(sparse), parseMatrix(slurp(inputPath("sparse.values.txt"))));
}

TEST(GoldenFormats, DoublesStayDoubles) {
  std::string matrix = slurp(inputPath("matrix.double.bin"));
  EXPECT_EQ(rewrite<GeneralMatrix>(readGeneralMatrix, writeGeneralMatrix,
                                   matrix, /*binary=*/true),
            matrix);
  std::string vector = slurp(inputPath("vector.double.bin"));
  EXPECT_EQ(rewrite<GeneralVector>(readGeneralVector, writeGeneralVector,
                                   vector, /*binary=*/true),
            vector);
}

TEST(GoldenFormats, IndexVectors) {
  for (const char *name : {"indexes.0", "indexes.1", "indexes.2"})
    expectBothForms<std::vector<RowIndex>>(readIndexVector, writeIndexVector,
                                           name);
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
