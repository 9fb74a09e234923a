//===- Writer.cpp - Kaldi's basic encodings, written ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nnet3/Kaldi/IO/Writer.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/raw_ostream.h"
#include <charconv>

using namespace nnet3::kaldi;

static_assert(llvm::endianness::native == llvm::endianness::little,
              "elements are written as they lie in memory");

namespace {
/// Long enough for any double with 17 digits.
struct NumberText {
  char chars[48];
  size_t length = 0;

  template <typename T> NumberText(T value, unsigned digits) {
    // The same characters as iostream's default format, `%g`.
    auto result =
        std::to_chars(chars, chars + sizeof(chars), value,
                      std::chars_format::general, static_cast<int>(digits));
    length = result.ptr - chars;
  }
  llvm::StringRef str() const { return {chars, length}; }
};
} // namespace

/// Returns the digits that make `value` round-trip, if `digits` asks for
/// exactness.
static unsigned digitsFor(double value, unsigned digits) {
  if (digits < 9 || digits >= 17)
    return digits;
  NumberText text(value, digits);
  double back = 0;
  std::from_chars(text.chars, text.chars + text.length, back);
  return back == value ? digits : 17;
}

static unsigned digitsFor(float, unsigned digits) { return digits; }

void KaldiWriter::writeRaw(const void *data, size_t size) {
  os.write(static_cast<const char *>(data), size);
}

template <typename T> void KaldiWriter::writeText(T value) {
  os << NumberText(value, digitsFor(value, digits)).str() << ' ';
}

void KaldiWriter::writeBytes(llvm::StringRef bytes) { os << bytes; }

void KaldiWriter::writeHeader() {
  if (binary)
    os << llvm::StringRef("\0B", 2);
}

void KaldiWriter::writeToken(llvm::StringRef token) { os << token << ' '; }

void KaldiWriter::writeNewline() {
  if (!binary)
    os << '\n';
}

template <typename T> void KaldiWriter::writeScalar(T value) {
  os << static_cast<char>(sizeof(T));
  writeRaw(&value, sizeof(T));
}

void KaldiWriter::writeInt32(int32_t value) {
  if (binary)
    return writeScalar(value);
  os << value << ' ';
}

void KaldiWriter::writeInt64(int64_t value) {
  if (binary)
    return writeScalar(value);
  os << value << ' ';
}

void KaldiWriter::writeBool(bool value) {
  os << (value ? 'T' : 'F');
  if (!binary)
    os << ' ';
}

void KaldiWriter::writeFloat(float value) {
  if (binary)
    return writeScalar(value);
  writeText(value);
}

void KaldiWriter::writeDouble(double value) {
  if (binary)
    return writeScalar(value);
  writeText(value);
}

void KaldiWriter::writeNumber(float value) {
  os << NumberText(value, digitsFor(value, digits)).str();
}

void KaldiWriter::writeIntVector(llvm::ArrayRef<int32_t> values) {
  if (binary) {
    // The size byte is that of an element; the count has none.
    writeScalar(static_cast<int32_t>(values.size()));
    return writeRaw(values.data(), values.size() * sizeof(int32_t));
  }
  os << "[ ";
  for (int32_t value : values)
    os << value << ' ';
  os << "]\n";
}

void KaldiWriter::writeIntPairVector(
    llvm::ArrayRef<std::pair<int32_t, int32_t>> values) {
  if (binary) {
    writeScalar(static_cast<int32_t>(values.size()));
    for (auto [first, second] : values) {
      writeRaw(&first, sizeof(first));
      writeRaw(&second, sizeof(second));
    }
    return;
  }
  os << "[ ";
  for (auto [first, second] : values)
    os << first << ',' << second << ' ';
  os << "]\n";
}

template <typename T>
void KaldiWriter::writeVectorOf(llvm::ArrayRef<T> values) {
  if (binary) {
    writeToken(sizeof(T) == 4 ? "FV" : "DV");
    writeInt32(values.size());
    return writeRaw(values.data(), values.size() * sizeof(T));
  }
  os << " [ ";
  for (T value : values)
    writeText(value);
  os << "]\n";
}

void KaldiWriter::writeVector(llvm::ArrayRef<float> values) {
  writeVectorOf(values);
}

void KaldiWriter::writeVector(llvm::ArrayRef<double> values) {
  writeVectorOf(values);
}

template <typename T>
void KaldiWriter::writeMatrixOf(int64_t rows, int64_t cols,
                                llvm::ArrayRef<T> values) {
  assert(rows * cols == static_cast<int64_t>(values.size()));
  if (binary) {
    writeToken(sizeof(T) == 4 ? "FM" : "DM");
    writeInt32(rows);
    writeInt32(cols);
    return writeRaw(values.data(), values.size() * sizeof(T));
  }
  if (cols == 0) {
    os << " [ ]\n";
    return;
  }
  os << " [";
  for (int64_t r = 0; r < rows; ++r) {
    os << "\n  ";
    for (T value : values.slice(r * cols, cols))
      writeText(value);
  }
  os << "]\n";
}

void KaldiWriter::writeMatrix(int64_t rows, int64_t cols,
                              llvm::ArrayRef<float> values) {
  writeMatrixOf(rows, cols, values);
}

void KaldiWriter::writeMatrix(int64_t rows, int64_t cols,
                              llvm::ArrayRef<double> values) {
  writeMatrixOf(rows, cols, values);
}
