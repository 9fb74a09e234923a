//===- Tables.h - Archives and script files ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kaldi's tables, which map keys to values: an archive (`ark`) contains the
// values, a script file (`scp`) names a file for each (spec: formats.md 7).
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

/// Options of reading and writing tables besides those in specifiers.
struct TableOptions {
  /// Whether commands in a script file may run. Commands on the command line
  /// are always allowed.
  bool allowScpPipes = false;
  /// Significant digits of a float in text, as for KaldiWriter.
  unsigned digits = 9;
  /// Receives warnings (records that a permissive table skips, ranges beyond
  /// the end) in the form `FILE:LINE:COL: warning: MESSAGE`; may be null.
  std::function<void(llvm::StringRef)> warn;
};

/// Reads the records of a table in order, and keeps one at a time in memory.
template <typename T> class SequentialTableReader {
public:
  static llvm::Expected<std::unique_ptr<SequentialTableReader>>
  open(llvm::StringRef rspecifier, const TableOptions &options = {});

  virtual ~SequentialTableReader() = default;

  /// Reads the next record; returns false at the end. Do not call it again
  /// after the end or an error.
  virtual llvm::Expected<bool> next() = 0;

  /// The fraction of the file that has been read, from 0 to 1; nullopt if the
  /// size is unknown.
  virtual std::optional<double> getFractionRead() const { return std::nullopt; }

  /// The current record.
  llvm::StringRef getKey() const { return key; }
  T &getValue() { return value; }

protected:
  std::string key;
  T value;
};

/// Finds the values of a table by their keys. An archive is read only as far as
/// necessary, and its values are kept in memory unless the options `s` and `cs`
/// (or `o`) make that unnecessary. For a script, only the last value is kept.
template <typename T> class RandomAccessTableReader {
public:
  static llvm::Expected<std::unique_ptr<RandomAccessTableReader>>
  open(llvm::StringRef rspecifier, const TableOptions &options = {});

  virtual ~RandomAccessTableReader() = default;

  /// Returns the value of `key`, or null if there is none. Valid until the next
  /// call.
  ///
  /// Returns an error if a request violates `o` or `cs`.
  virtual llvm::Expected<const T *> find(llvm::StringRef key) = 0;

  /// Ends the requests. With `s`, `find` assumes that a key is missing as soon
  /// as it reads a later key; if it did so, this reads the rest of the archive
  /// and returns an error if keys are not sorted.
  virtual llvm::Error close() { return llvm::Error::success(); }
};

/// Writes a table. Each record is written completely or not at all.
template <typename T> class TableWriter {
public:
  static llvm::Expected<std::unique_ptr<TableWriter>>
  open(llvm::StringRef wspecifier, const TableOptions &options = {});

  virtual ~TableWriter() = default;

  /// Writes one record. `key` must be a word without blanks.
  virtual llvm::Error write(llvm::StringRef key, const T &value) = 0;

  /// Ends the table; returns an error if a command that receives it failed.
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
