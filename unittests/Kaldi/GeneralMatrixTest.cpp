//===- GeneralMatrixTest.cpp - Matrices of every form ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nnet3/Kaldi/Matrix/GeneralMatrix.h"
#include "TestUtil.h"
#include "nnet3/Kaldi/Examples/RowIndex.h"
#include <cmath>
#include <limits>

using namespace nnet3::kaldi;
using namespace nnet3::kaldi::test;

namespace {
/// Returns a matrix of 10 rows and 3 columns with distinct elements.
Matrix makeMatrix() {
  Matrix matrix(10, 3);
  for (size_t i = 0; i < matrix.data.size(); ++i)
    matrix.data[i] = std::sin(float(i) * 7);
  return matrix;
}

TEST(GeneralMatrix, PartsKeepTheirForm) {
  Matrix full = makeMatrix();
  std::vector<GeneralMatrix> forms = {full};
  for (int method = 2; method <= 7; ++method)
    forms.push_back(CompressedMatrix(full, CompressionMethod(method)));
  SparseMatrix sparse;
  sparse.cols = 3;
  for (int32_t r = 0; r < 10; ++r)
    sparse.rows.push_back({{r % 3, float(r)}});
  forms.push_back(sparse);
  for (const GeneralMatrix &form : forms) {
    GeneralMatrix part = extract(form, 2, 5, 1, 2);
    EXPECT_EQ(part.index(), form.index());
    EXPECT_EQ(getNumRows(part), 5);
    EXPECT_EQ(getNumCols(part), 2);
    Matrix whole = toFull(form), values = toFull(part);
    for (int64_t r = 0; r < 5; ++r)
      for (int64_t c = 0; c < 2; ++c)
        EXPECT_EQ(values(r, c), whole(r + 2, c + 1));
  }
}

TEST(CompressedMatrix, IsClose) {
  Matrix matrix = makeMatrix();
  for (auto [method, tolerance] :
       {std::pair(CompressionMethod::Automatic, 0.03F),
        std::pair(CompressionMethod::TwoByteAuto, 1e-4F),
        std::pair(CompressionMethod::OneByteAuto, 0.01F)}) {
    Matrix decoded = CompressedMatrix(matrix, method).decode();
    for (size_t i = 0; i < matrix.data.size(); ++i)
      EXPECT_NEAR(decoded.data[i], matrix.data[i], tolerance);
  }
}

TEST(CompressedMatrix, ValuesOutsideAFixedRangeAreCut) {
  Matrix matrix(1, 3);
  matrix.data = {-5, 300, 7};
  EXPECT_EQ(CompressedMatrix(matrix, CompressionMethod::OneByteUnsigned)
                .decode()
                .data,
            (std::vector<float>{0, 255, 7}));
}

/// Compressing such values makes no sense, but must have defined behaviour.
TEST(CompressedMatrix, InfinitiesAndNaNs) {
  float inf = std::numeric_limits<float>::infinity(), nan = std::nanf("");
  for (float bad : {inf, -inf, nan, 3e38F, -3e38F})
    for (int method = 1; method <= 7; ++method) {
      Matrix matrix = makeMatrix();
      matrix(4, 1) = bad;
      matrix(5, 1) = -3e38F;
      EXPECT_EQ(
          CompressedMatrix(matrix, CompressionMethod(method)).decode().rows,
          10);
    }
}

TEST(CompressedMatrix, Empty) {
  CompressedMatrix empty(Matrix(), CompressionMethod::Automatic);
  EXPECT_EQ(empty.decode().rows, 0);
}

std::string errorOfMatrix(llvm::StringRef contents) {
  return errorOf(contents, [](KaldiReader &reader) {
    GeneralMatrix matrix;
    (void)readGeneralMatrix(reader, matrix);
  });
}

TEST(SparseMatrix, Errors) {
  EXPECT_EQ(errorOfMatrix("rows=1 dim=3 [ 3 0.5 ] "),
            "input:1:16: error: expects a column below 3, but got 3");
  EXPECT_EQ(errorOfMatrix("rows=1 dim=3 [ 1 0.5 1 2 ] "),
            "input:1:22: error: expects columns that increase, but got 1 after "
            "1");
  EXPECT_EQ(errorOfMatrix("rows=x dim=3 [ ] "),
            "input:1:1: error: expects 'rows=' and a count, but got 'rows=x'");
  EXPECT_EQ(errorOfMatrix("rows=2 dim=3 [ ] dim=4 [ ] "),
            "input:1:26: error: expects rows of one dim, but got 4 in row 1");
  using namespace std::string_literals;
  EXPECT_EQ(errorOfMatrix("\0BSM \4\xff\xff\xff\xff"s),
            "input:byte 5: error: expects a count of at least 0, but got -1");
}

TEST(IndexVector, Errors) {
  auto errorOfIndexes = [](llvm::StringRef contents) {
    return errorOf(contents, [](KaldiReader &reader) {
      std::vector<RowIndex> indexes;
      (void)readIndexVector(reader, indexes);
    });
  };
  using namespace std::string_literals;
  EXPECT_EQ(errorOfIndexes("\0B<I1V> \4\1\0\0\0\x7d"s),
            "input:byte 13: error: expects a step in t or 127 in an index "
            "vector, but got byte 125");
  EXPECT_EQ(errorOfIndexes("<I1V> -1 "),
            "input:1:7: error: expects a count of at least 0, but got -1");
  EXPECT_EQ(
      errorOfIndexes(
          "\0B<I1V> \4\2\0\0\0\x7f\4\0\0\0\0\4\xff\xff\xff\x7f\4\0\0\0\0\1"s),
      "input:byte 29: error: step 1 from t = 2147483647 does not fit in 32 "
      "bits");
}
} // namespace
