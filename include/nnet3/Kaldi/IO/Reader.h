//===- Reader.h - Kaldi's basic encodings, read -----------------*- C++ -*-===//
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
/// Every `read` function returns failure on bad input. The first error is kept
/// with its place; after it every call fails without reading, so that a caller
/// may look once, at the end, with `takeError`.
///
/// Sizes found in the input are checked against the bytes that are there before
/// anything is allocated.
class KaldiReader {
public:
  /// Reads `data`, which must outlive the reader and is not copied. `name` is
  /// for messages.
  KaldiReader(llvm::StringRef data, llvm::StringRef name);

  /// Reads a stream, holding no more of it than the item being read.
  explicit KaldiReader(ByteSource &source);

  /// From now on tells `release`, every few megabytes, which bytes of the data
  /// have been read and are hardly needed again. They must stay readable: an
  /// error may look for the number of its line. Not for streams.
  void setRelease(std::function<void(llvm::StringRef read)> newRelease) {
    release = std::move(newRelease);
  }

  KaldiReader(const KaldiReader &) = delete;
  KaldiReader &operator=(const KaldiReader &) = delete;

  //===--------------------------------------------------------------------===//
  // Mode, place and errors
  //===--------------------------------------------------------------------===//

  /// Recognises `\0B` (binary) and sets the mode; anything else is text. Called
  /// at the beginning of a file and of each record of an archive.
  llvm::LogicalResult readHeader();

  /// Tells that what follows is binary, without a mark.
  void beginBinary() { binary = sawBinary = true; }

  /// Whether the current file or record is binary; text before `readHeader`.
  bool isBinary() const { return binary; }

  /// True when nothing is left to read.
  bool atEnd();

  /// Offset in the file of the next byte.
  uint64_t getOffset() const { return baseOffset + pos; }

  /// Where the item that was read last begins.
  FileLocation getLocation();

  /// The name given for messages.
  llvm::StringRef getName() const { return name; }

  /// Records an error at the item that was read last.
  llvm::LogicalResult fail(const llvm::Twine &message);

  /// Records an error at `location` (from `getLocation`).
  llvm::LogicalResult failAt(FileLocation location, const llvm::Twine &message);

  bool hasFailed() const { return error.has_value(); }

  /// The first error as a KaldiError, or success. The reader stays failed.
  llvm::Error takeError();

  //===--------------------------------------------------------------------===//
  // Tokens and lines
  //===--------------------------------------------------------------------===//

  /// Reads a token and the one whitespace character after it, skipping
  /// whitespace before it. In text the end of the file may end a token too.
  llvm::LogicalResult readToken(std::string &token);

  /// Reads the key of an archive's record and the blank or tab after it; the
  /// record's own mode is not known yet (`readHeader` comes next).
  llvm::LogicalResult readKey(std::string &key);

  /// Reads the token `token`, which may have lost its leading `<`.
  llvm::LogicalResult expectToken(llvm::StringRef token);

  /// Reads the token `token` if it comes next and returns whether it did.
  bool consumeToken(llvm::StringRef token);

  /// The next token without reading it; empty at the end. Valid until the next
  /// call.
  llvm::StringRef peekWord();

  /// The next character without reading it, one `<` skipped (whitespace too in
  /// text); -1 at the end. Decides on optional tokens.
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
  /// An integer that is at least 0. Whoever counts far meets the end of the
  /// file first, so there is no upper limit.
  llvm::LogicalResult readCount(int32_t &count);
  llvm::LogicalResult readInt64(int64_t &value);
  llvm::LogicalResult readBool(bool &value);
  /// Floats and doubles are read from either width.
  llvm::LogicalResult readFloat(float &value);
  llvm::LogicalResult readDouble(double &value);

  /// The next `count` bytes, which are there; valid until the next call.
  llvm::LogicalResult readBytes(uint64_t count, llvm::StringRef &bytes);

  //===--------------------------------------------------------------------===//
  // Vectors and matrices
  //===--------------------------------------------------------------------===//

  llvm::LogicalResult readIntVector(std::vector<int32_t> &values);
  llvm::LogicalResult
  readIntPairVector(std::vector<std::pair<int32_t, int32_t>> &values);

  /// Reads a float or double vector, converting the elements where needed.
  llvm::LogicalResult readVector(std::vector<float> &values);
  llvm::LogicalResult readVector(std::vector<double> &values);

  /// Reads a float, double or compressed matrix, converting the elements where
  /// needed.
  llvm::LogicalResult readMatrix(Matrix &matrix);
  llvm::LogicalResult readMatrix(DoubleMatrix &matrix);

  /// As `readVector` and `readMatrix`, into memory that the caller gives:
  /// `allocate` is called once the elements are known to be there, and returns
  /// space for all of them, row by row, or null to refuse the size (then the
  /// reading fails; call `fail` first for a better message). Not called for an
  /// empty matrix or vector, except with zeros.
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
  /// Where the item that was read last begins; bytes from here on are kept.
  size_t item = 0;
  /// Offset in the file of `data[0]`.
  uint64_t baseOffset = 0;

  ByteSource *source = nullptr;
  /// What a stream has given and is not read yet; `data` points to it.
  std::vector<char> buffer;

  std::function<void(llvm::StringRef)> release;
  /// What lies before has been released.
  size_t released = 0;

  std::string name;
  bool binary = false;
  /// Line numbers mean nothing once binary data has passed.
  bool sawBinary = false;

  /// Line number of the byte at `linePos`, and where that line begins.
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
