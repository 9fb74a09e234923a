//===- CompressedMatrix.h - Decoding of compressed matrices -----*- C++ -*-===//
#ifndef NNET3_LIB_TARGET_KALDI_COMPRESSEDMATRIX_H
#define NNET3_LIB_TARGET_KALDI_COMPRESSEDMATRIX_H

#include <cstddef>
#include <cstdint>

namespace nnet3 {

/// The three formats, numbered as their tokens: CM (1), CM2 and CM3.
enum class CompressedFormat { OneByteWithColumnHeaders = 1, TwoByte, OneByte };

/// The 16 bytes after the token.
struct CompressedHeader {
  static constexpr size_t numBytes = 16;

  /// Reads the header from `bytes`.
  explicit CompressedHeader(const char *bytes);

  float minValue;
  float range;
  int32_t rows;
  int32_t cols;
};

/// Bytes of the body that follows `header`, whose dimensions are positive;
/// saturates.
uint64_t getCompressedBodySize(CompressedFormat format,
                               const CompressedHeader &header);

/// Decodes `body` into `rows * cols` row-major elements (spec: formats.md 3.1).
template <typename T>
void decodeCompressedMatrix(CompressedFormat format,
                            const CompressedHeader &header, const char *body,
                            T *out);

} // namespace nnet3

#endif // NNET3_LIB_TARGET_KALDI_COMPRESSEDMATRIX_H
