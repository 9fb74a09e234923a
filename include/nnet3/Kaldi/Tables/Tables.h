//===- Tables.h - Archives and script files ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kaldi's tables: values under keys, in an archive (`ark`) that holds them or
// by a script file (`scp`) that names a file for each (spec: formats.md 7).
//
// The value types are Matrix and std::vector<float>; GeneralMatrix and
// GeneralVector, which keep the form that a file has; std::vector<int32_t> (an
// alignment); Posterior; NnetExample and NnetChainExample, or to
// read either, AnyExample; ChainSupervision, which is only read; std::string, a
// table of words such as utt2spk; and Wave and std::vector<std::string>, a
// table of lists of words such as spk2utt, which are only read one after the
// other.
//
//===----------------------------------------------------------------------===//
#ifndef NNET3_KALDI_TABLES_TABLES_H
#define NNET3_KALDI_TABLES_TABLES_H

#include "nnet3/Kaldi/Matrix/Matrix.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace nnet3::kaldi {

/// How tables are read and written, beyond what their names say.
struct TableOptions {
  /// Whether a command that is found inside a script file may run. One given on
  /// the command line always may.
  bool allowScpPipes = false;
  /// Significant digits of a float in text, as for KaldiWriter.
  unsigned digits = 9;
  /// Takes warnings (what a permissive table passes over, ranges beyond the
  /// end), in the form `FILE:LINE:COL: warning: MESSAGE`; may be null.
  std::function<void(llvm::StringRef)> warn;
};

/// Reads the records of a table one after the other, holding one at a time.
template <typename T> class SequentialTableReader {
public:
  static llvm::Expected<std::unique_ptr<SequentialTableReader>>
  open(llvm::StringRef rspecifier, const TableOptions &options = {});

  virtual ~SequentialTableReader() = default;

  /// Goes to the next record; false at the end. Not called again after the end
  /// or an error.
  virtual llvm::Expected<bool> next() = 0;

  /// How much of the file has been read, from 0 to 1; nothing where its size is
  /// not known.
  virtual std::optional<double> getFractionRead() const { return std::nullopt; }

  /// The current record.
  llvm::StringRef getKey() const { return key; }
  T &getValue() { return value; }

protected:
  std::string key;
  T value;
};

/// Finds the values of a table by their keys. An archive is read as far as
/// needed, and kept in memory unless the options `s` and `cs` (or `o`) tell
/// that this is not necessary; of a script, the last value is kept.
template <typename T> class RandomAccessTableReader {
public:
  static llvm::Expected<std::unique_ptr<RandomAccessTableReader>>
  open(llvm::StringRef rspecifier, const TableOptions &options = {});

  virtual ~RandomAccessTableReader() = default;

  /// The value under `key`, or null if there is none. Valid until the next
  /// call.
  ///
  /// Requests that break the promise of `o` or `cs` are errors.
  virtual llvm::Expected<const T *> find(llvm::StringRef key) = 0;

  /// Ends the requests. With `s`, `find` takes a key for missing as soon as a
  /// later one comes; if it did so, the rest of the archive is read here, and
  /// keys out of order are an error.
  virtual llvm::Error close() { return llvm::Error::success(); }
};

/// Writes a table. A record is written whole or not at all.
template <typename T> class TableWriter {
public:
  static llvm::Expected<std::unique_ptr<TableWriter>>
  open(llvm::StringRef wspecifier, const TableOptions &options = {});

  virtual ~TableWriter() = default;

  /// Writes one record. `key` must be a word without blanks.
  virtual llvm::Error write(llvm::StringRef key, const T &value) = 0;

  /// Ends the table; a command written to that failed is an error.
  virtual llvm::Error close() = 0;
};

using SequentialMatrixReader = SequentialTableReader<Matrix>;
using SequentialVectorReader = SequentialTableReader<std::vector<float>>;
using RandomAccessMatrixReader = RandomAccessTableReader<Matrix>;
using RandomAccessVectorReader = RandomAccessTableReader<std::vector<float>>;
using RandomAccessTokenReader = RandomAccessTableReader<std::string>;
using MatrixWriter = TableWriter<Matrix>;
using VectorWriter = TableWriter<std::vector<float>>;

} // namespace nnet3::kaldi

#endif // NNET3_KALDI_TABLES_TABLES_H
