//===- Writer.h - Writer of Kaldi's basic encodings -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tokens, numbers, vectors and matrices, byte for byte as Kaldi's programs
// write them, in binary and in text (spec: formats.md 3).
//
//===----------------------------------------------------------------------===//
#ifndef NNET3_KALDI_IO_WRITER_H
#define NNET3_KALDI_IO_WRITER_H

#include "nnet3/Kaldi/Matrix/Matrix.h"
#include "llvm/ADT/StringRef.h"
#include <utility>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace nnet3::kaldi {

/// Writes Kaldi's basic encodings to a stream.
class KaldiWriter {
public:
  /// `digits` is the number of significant digits of a float in text: 9 reads
  /// back exactly, Kaldi itself writes 7. With 9 digits or more, a double that
  /// needs more to read back exactly gets 17.
  KaldiWriter(llvm::raw_ostream &os, bool binary, unsigned digits = 9)
      : os(os), binary(binary), digits(digits) {}

  bool isBinary() const { return binary; }

  /// The underlying stream, for lines that are text in both modes.
  llvm::raw_ostream &getStream() { return os; }

  /// Writes `\0B` in binary, nothing in text.
  void writeHeader();

  /// Writes a token without whitespace, and one space.
  void writeToken(llvm::StringRef token);

  /// Writes a line end in text, nothing in binary.
  void writeNewline();

  void writeInt32(int32_t value);
  void writeInt64(int64_t value);
  void writeBool(bool value);
  void writeFloat(float value);
  void writeDouble(double value);
  /// Writes a number in text form in both modes, without a blank after it.
  void writeNumber(float value);

  void writeIntVector(llvm::ArrayRef<int32_t> values);
  void writeIntPairVector(llvm::ArrayRef<std::pair<int32_t, int32_t>> values);

  /// Writes a vector in the precision of its elements.
  void writeVector(llvm::ArrayRef<float> values);
  void writeVector(llvm::ArrayRef<double> values);

  /// Writes a row-major matrix in the precision of its elements; `values` has
  /// `rows * cols` elements.
  void writeMatrix(int64_t rows, int64_t cols, llvm::ArrayRef<float> values);
  void writeMatrix(int64_t rows, int64_t cols, llvm::ArrayRef<double> values);
  template <typename T> void writeMatrix(const BasicMatrix<T> &matrix) {
    writeMatrix(matrix.rows, matrix.cols, llvm::ArrayRef<T>(matrix.data));
  }

  /// Writes raw bytes.
  void writeBytes(llvm::StringRef bytes);

private:
  template <typename T> void writeText(T value);
  template <typename T> void writeScalar(T value);
  template <typename T> void writeVectorOf(llvm::ArrayRef<T> values);
  template <typename T>
  void writeMatrixOf(int64_t rows, int64_t cols, llvm::ArrayRef<T> values);
  void writeRaw(const void *data, size_t size);

  llvm::raw_ostream &os;
  bool binary;
  unsigned digits;
};

} // namespace nnet3::kaldi

#endif // NNET3_KALDI_IO_WRITER_H
