//===- KaldiFile.h - Tokens and numbers of Kaldi's files --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_IVECTOR_KALDIFILE_H
#define NNET3_RUNTIME_IVECTOR_KALDIFILE_H

#include "DoubleMatrix.h"

#include <memory>
#include <string>
#include <string_view>

namespace nnet3 {
namespace rt {

/// Reads the items of a file, or of bytes, one after the other: binary if it
/// begins with `\0B`, else text (spec: formats.md 3). The first error is kept,
/// and all that is read after it is empty. Sizes are checked against the bytes
/// that are there before anything is allocated.
class KaldiFile {
public:
  /// An error if the file cannot be opened.
  explicit KaldiFile(const std::string &path);
  /// The bytes stay the caller's.
  KaldiFile(std::string_view bytes, std::string name);

  /// What is wrong, as `FILE:LINE:COLUMN: ...` or `FILE:byte N: ...`; empty if
  /// nothing is.
  const std::string &getError() const { return error; }

  /// Records an error at the item that was read last, or comes next.
  void fail(const std::string &message);

  /// Reads one of two tokens.
  void expectToken(std::string_view token, std::string_view other = {});
  /// Reads the token if it comes next, and returns whether it did.
  bool consumeToken(std::string_view token);

  int32_t readInt32();
  double readReal();
  std::vector<double> readVector();
  DoubleMatrix readMatrix();
  /// The lower triangle by rows of a symmetric matrix; its dim is \p dim.
  std::vector<double> readPacked(int32_t dim);

  /// An error if something is left.
  void expectEnd();

private:
  void begin();
  void skipBlanks();
  std::string_view readWord();
  bool takeBytes(void *to, size_t count);
  /// Reads the kind of a binary object, such as "DM", which begins at \p begin.
  /// Returns the bytes of its numbers, or 0 after an error.
  size_t readKind(char kind, size_t &begin);
  void readNumbers(size_t width, uint64_t count, std::vector<double> &to);
  bool readTextNumber(std::string_view word, double &value);
  std::vector<double> readTextNumbers(int64_t &rows);

  std::shared_ptr<const void> owner;
  std::string_view bytes;
  std::string name, error;
  bool isBinary = false;
  /// The next byte, and where the item began that an error is about.
  size_t at = 0, item = 0;
};

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_IVECTOR_KALDIFILE_H
