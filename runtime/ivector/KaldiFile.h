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

/// Reads the items of a file, or of bytes, sequentially: binary if it begins
/// with
/// `\0B`, else text (spec: formats.md 3). Keeps the first error; later reads
/// return empty values. Sizes are checked against the remaining bytes before
/// anything is allocated.
class KaldiFile {
public:
  /// Opens a file; records an error if that fails.
  explicit KaldiFile(const std::string &path);
  /// Reads \p bytes, which are borrowed.
  KaldiFile(std::string_view bytes, std::string name);

  /// The error message, `FILE:LINE:COLUMN: ...` or `FILE:byte N: ...`; empty if
  /// there is none.
  const std::string &getError() const { return error; }

  /// Records an error at the latest item, or at the next one.
  void fail(const std::string &message);

  /// Reads \p token or \p other; any other token is an error.
  void expectToken(std::string_view token, std::string_view other = {});
  /// Reads the token if it comes next, and returns whether it did.
  bool consumeToken(std::string_view token);

  int32_t readInt32();
  double readReal();
  std::vector<double> readVector();
  DoubleMatrix readMatrix();
  /// Reads the packed lower triangle of a symmetric matrix of \p dim rows.
  std::vector<double> readPacked(int32_t dim);

  /// Records an error if anything is left.
  void expectEnd();

private:
  void begin();
  void skipBlanks();
  std::string_view readWord();
  bool takeBytes(void *to, size_t count);
  /// Reads the kind of a binary object, such as "DM"; \p begin receives its
  /// offset. Returns the bytes per number, or 0 after an error.
  size_t readKind(char kind, size_t &begin);
  void readNumbers(size_t width, uint64_t count, std::vector<double> &to);
  bool readTextNumber(std::string_view word, double &value);
  std::vector<double> readTextNumbers(int64_t &rows);

  std::shared_ptr<const void> owner;
  std::string_view bytes;
  std::string name, error;
  bool isBinary = false;
  /// The next byte, and the start of the item for error messages.
  size_t at = 0, item = 0;
};

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_IVECTOR_KALDIFILE_H
