//===- CompressedMatrix.h - Matrices of 8-bit or 16-bit codes ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kaldi's compressed matrices (spec: formats.md 3.1): each element is an
// integer code, and a header determines the values of the codes.
//
//===----------------------------------------------------------------------===//
#ifndef NNET3_KALDI_MATRIX_COMPRESSEDMATRIX_H
#define NNET3_KALDI_MATRIX_COMPRESSEDMATRIX_H

#include "nnet3/Kaldi/Matrix/Matrix.h"
#include <cstddef>
#include <string>

namespace nnet3::kaldi {

/// The three formats, numbered as their tokens: CM (1), CM2 and CM3.
enum class CompressedFormat { OneByteWithColumnHeaders = 1, TwoByte, OneByte };

/// How a matrix is compressed, numbered as in Kaldi's `--compression-method`.
enum class CompressionMethod {
  Automatic = 1,   ///< SpeechFeature above 8 rows, otherwise TwoByteAuto
  SpeechFeature,   ///< CM: percentiles for each column
  TwoByteAuto,     ///< CM2, least to greatest value
  TwoByteSigned,   ///< CM2, integers -32768 to 32767
  OneByteAuto,     ///< CM3, least to greatest value
  OneByteUnsigned, ///< CM3, integers 0 to 255
  OneByteZeroOne,  ///< CM3, 0 to 1
};

/// The 16 bytes after the token.
struct CompressedHeader {
  static constexpr size_t numBytes = 16;

  CompressedHeader() = default;
  /// Reads the header from `bytes`.
  explicit CompressedHeader(const char *bytes);

  float minValue = 0;
  float range = 0;
  int32_t rows = 0;
  int32_t cols = 0;
};

/// Returns the size in bytes of the body after `header`, whose dimensions must
/// be positive; saturates.
uint64_t getCompressedBodySize(CompressedFormat format,
                               const CompressedHeader &header);

/// Decodes `body` into `rows * cols` row-major elements.
template <typename T>
void decodeCompressedMatrix(CompressedFormat format,
                            const CompressedHeader &header, const char *body,
                            T *out);

/// A matrix in its compressed form.
struct CompressedMatrix {
  /// An empty matrix.
  CompressedMatrix() = default;
  /// Compresses `matrix`, which must have fewer than 2^31 rows and columns.
  CompressedMatrix(const Matrix &matrix, CompressionMethod method);

  /// Returns the values of the codes.
  Matrix decode() const;

  /// Extracts rows and columns from `firstRow` and `firstCol` without changing
  /// their codes. The part must be within the matrix and not empty.
  CompressedMatrix extract(int64_t firstRow, int64_t rows, int64_t firstCol,
                           int64_t cols) const;

  /// Returns the rows with these numbers without changing their codes.
  CompressedMatrix selectRows(llvm::ArrayRef<int64_t> rows) const;

  CompressedFormat format = CompressedFormat::OneByteWithColumnHeaders;
  CompressedHeader header;
  /// The bytes after the header in a file.
  std::string body;
};

} // namespace nnet3::kaldi

#endif // NNET3_KALDI_MATRIX_COMPRESSEDMATRIX_H
