//===- Reader.h - Reader of Kaldi's basic encodings -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tokens, numbers, vectors and matrices as Kaldi's programs write them, in
// binary and in text (spec: formats.md 3).
//
//===----------------------------------------------------------------------===//
#ifndef NNET3_KALDI_IO_READER_H
#define NNET3_KALDI_IO_READER_H

#include "nnet3/Kaldi/IO/ByteSource.h"
#include "nnet3/Kaldi/IO/KaldiError.h"
#include "nnet3/Kaldi/Matrix/Matrix.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/LogicalResult.h"
#include <functional>
#include <optional>
#include <utility>

namespace nnet3::kaldi {

/// Reads Kaldi's basic encodings from memory or from a stream.
///
/// Every `read` function fails on invalid input. The reader keeps the first
/// error with its location; after it, every call fails without reading, so that
/// a caller can check once at the end with `takeError`.
///
/// Sizes in the input are checked against the number of available bytes before
/// memory is allocated.
class KaldiReader {
public:
  /// Reads `data`, which must outlive the reader and is not copied. `name` is
  /// for messages.
  KaldiReader(llvm::StringRef data, llvm::StringRef name);

  /// Reads a stream; keeps only the current item in memory.
  explicit KaldiReader(ByteSource &source);

  /// Calls `release` after every few megabytes with the bytes that have been
  /// read. They must stay readable, because an error may need its line number.
  /// Not for streams.
  void setRelease(std::function<void(llvm::StringRef read)> newRelease) {
    release = std::move(newRelease);
  }

  KaldiReader(const KaldiReader &) = delete;
  KaldiReader &operator=(const KaldiReader &) = delete;

  //===--------------------------------------------------------------------===//
  // Mode, location and errors
  //===--------------------------------------------------------------------===//

  /// Recognises `\0B` (binary) and sets the mode; anything else is text. Called
  /// at the beginning of a file and of each record of an archive.
  llvm::LogicalResult readHeader();

  /// Sets the mode to binary, for data without the mark.
  void beginBinary() { binary = sawBinary = true; }

  /// Whether the current file or record is binary; text before `readHeader`.
  bool isBinary() const { return binary; }

  /// Whether nothing is left to read.
  bool atEnd();

  /// Offset in the file of the next byte.
  uint64_t getOffset() const { return baseOffset + pos; }

  /// The location of the beginning of the last item.
  FileLocation getLocation();

  /// The name for messages.
  llvm::StringRef getName() const { return name; }

  /// Records an error at the last item.
  llvm::LogicalResult fail(const llvm::Twine &message);

  /// Records an error at `location` (from `getLocation`).
  llvm::LogicalResult failAt(FileLocation location, const llvm::Twine &message);

  bool hasFailed() const { return error.has_value(); }

  /// The first error as a KaldiError, or success. The reader stays failed.
  llvm::Error takeError();

  //===--------------------------------------------------------------------===//
  // Tokens and lines
  //===--------------------------------------------------------------------===//

  /// Skips whitespace, then reads a token and the one whitespace character
  /// after it. In text, the end of the file also ends a token.
  llvm::LogicalResult readToken(std::string &token);

  /// Reads the key of an archive's record and the blank or tab after it; the
  /// record's own mode is not known yet (`readHeader` comes next).
  llvm::LogicalResult readKey(std::string &key);

  /// Reads the token `token`, whose leading `<` may have been consumed.
  llvm::LogicalResult expectToken(llvm::StringRef token);

  /// Reads the token `token` if it is next; returns whether it is.
  bool consumeToken(llvm::StringRef token);

  /// Returns the next token without reading it; empty at the end. Valid until
  /// the next call.
  llvm::StringRef peekWord();

  /// Returns the next character without reading it, after one `<` (and in text
  /// after whitespace); -1 at the end. For optional tokens.
  int peekToken();

  /// Reads up to the end of the line, which is consumed but not returned. The
  /// last line may lack its end.
  llvm::LogicalResult readLine(std::string &line);

  /// Skips whitespace.
  void skipSpace();

  //===--------------------------------------------------------------------===//
  // Numbers
  //===--------------------------------------------------------------------===//

  llvm::LogicalResult readInt32(int32_t &value);
  /// Reads an integer that is at least 0. There is no upper limit, because a
  /// loop up to a wrong count fails at the end of the file.
  llvm::LogicalResult readCount(int32_t &count);
  llvm::LogicalResult readInt64(int64_t &value);
  llvm::LogicalResult readBool(bool &value);
  /// Read a float or double, stored in either width.
  llvm::LogicalResult readFloat(float &value);
  llvm::LogicalResult readDouble(double &value);

  /// Reads `count` bytes; fails if fewer are left. Valid until the next call.
  llvm::LogicalResult readBytes(uint64_t count, llvm::StringRef &bytes);

  //===--------------------------------------------------------------------===//
  // Vectors and matrices
  //===--------------------------------------------------------------------===//

  llvm::LogicalResult readIntVector(std::vector<int32_t> &values);
  llvm::LogicalResult
  readIntPairVector(std::vector<std::pair<int32_t, int32_t>> &values);

  /// Reads a float or double vector, and converts the elements if necessary.
  llvm::LogicalResult readVector(std::vector<float> &values);
  llvm::LogicalResult readVector(std::vector<double> &values);

  /// Reads a float, double or compressed matrix, and converts the elements if
  /// necessary.
  llvm::LogicalResult readMatrix(Matrix &matrix);
  llvm::LogicalResult readMatrix(DoubleMatrix &matrix);

  /// Like `readVector` and `readMatrix`, but reads into memory of the caller.
  /// `allocate` is called after the available bytes were checked, and returns
  /// memory for all elements, row by row, or null to reject the size; reading
  /// then fails (call `fail` before for a better message). For an empty matrix
  /// or vector, it is not called or called with zeros.
  llvm::LogicalResult
  readVector(llvm::function_ref<float *(int64_t dim)> allocate);
  llvm::LogicalResult
  readMatrix(llvm::function_ref<float *(int64_t rows, int64_t cols)> allocate);

private:
  // Input
  bool refill();
  bool ensure(uint64_t count);
  int peek();
  void beginItem() { item = pos; }
  void endItem(uint64_t start);
  llvm::StringRef scanWord(llvm::StringRef extraDelimiters);
  llvm::LogicalResult failAtEnd(llvm::StringRef what);
  llvm::LogicalResult failOnWord(const llvm::Twine &expected,
                                 llvm::StringRef got);

  // Numbers
  template <typename T> llvm::LogicalResult readInteger(T &value);
  template <typename T> llvm::LogicalResult readReal(T &value);
  template <typename T> llvm::LogicalResult readTextInteger(T &value);
  template <typename T> llvm::LogicalResult readTextReal(T &value);
  llvm::LogicalResult readCount(int64_t &count, size_t bytesEach);

  // Vectors and matrices
  template <typename T>
  llvm::LogicalResult readVectorOf(llvm::function_ref<T *(int64_t)> allocate);
  template <typename T>
  llvm::LogicalResult
  readMatrixOf(llvm::function_ref<T *(int64_t, int64_t)> allocate);
  template <typename T>
  llvm::LogicalResult
  readDenseBody(size_t width,
                llvm::function_ref<T *(int64_t, int64_t)> allocate);
  template <typename T>
  llvm::LogicalResult
  readCompressedBody(int format,
                     llvm::function_ref<T *(int64_t, int64_t)> allocate);
  template <typename T>
  llvm::LogicalResult readTextVector(std::vector<T> &values);
  template <typename T>
  llvm::LogicalResult readTextMatrix(BasicMatrix<T> &matrix);
  llvm::LogicalResult expectOpeningBracket(llvm::StringRef what);
  void skipLineEnd();
  template <typename T> void takeElements(size_t width, uint64_t count, T *to);
  void releaseRead();

  /// The bytes in memory; those before `pos` have been read.
  const char *data = nullptr;
  size_t size = 0;
  size_t pos = 0;
  /// Position of the last item; bytes from here on are kept.
  size_t item = 0;
  /// Offset in the file of `data[0]`.
  uint64_t baseOffset = 0;

  ByteSource *source = nullptr;
  /// Buffered bytes of a stream; `data` points to them.
  std::vector<char> buffer;

  std::function<void(llvm::StringRef)> release;
  /// Bytes before this position have been released.
  size_t released = 0;

  std::string name;
  bool binary = false;
  /// Whether binary data was read; line numbers are then meaningless.
  bool sawBinary = false;

  /// `line` is the line number of the byte at `linePos`; the line begins at
  /// `lineStart`.
  uint64_t linePos = 0;
  uint64_t lineStart = 0;
  unsigned line = 1;
  void countLines(uint64_t upTo);

  struct Failure {
    FileLocation location;
    std::string message;
  };
  std::optional<Failure> error;
};

} // namespace nnet3::kaldi

#endif // NNET3_KALDI_IO_READER_H
