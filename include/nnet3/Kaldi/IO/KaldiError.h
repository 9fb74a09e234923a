//===- KaldiError.h - Errors with a location in a file ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_KALDI_IO_KALDIERROR_H
#define NNET3_KALDI_IO_KALDIERROR_H

#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>
#include <vector>

namespace nnet3::kaldi {

/// A location in a file: line and column in a text file, or the byte offset in
/// a binary file.
struct FileLocation {
  /// 1-based; 0 if only the byte offset is meaningful.
  unsigned line = 0;
  /// 1-based, counted in bytes.
  unsigned column = 0;
  /// 0-based offset from the beginning of the file; always set.
  uint64_t byte = 0;
};

/// A note below an error, such as the line of a script that names the file.
/// Prints as `FILE:LINE:COL: note: MESSAGE`, or as `note: MESSAGE` if `file` is
/// empty.
struct KaldiNote {
  std::string file;
  FileLocation location;
  std::string message;
};

/// An error at a location in a file. Prints as
/// `FILE:LINE:COL: error: MESSAGE` or `FILE:byte N: error: MESSAGE`, and a line
/// for each note.
class KaldiError : public llvm::ErrorInfo<KaldiError> {
public:
  static char ID;

  KaldiError(std::string file, FileLocation location, std::string message)
      : file(std::move(file)), location(location), message(std::move(message)) {
  }

  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override;

  /// The name of the file as the user gave it.
  std::string file;
  FileLocation location;
  /// A lower-case sentence without a full stop.
  std::string message;
  std::vector<KaldiNote> notes;
};

/// An error about a file as a whole: prints as `FILE: error: MESSAGE`.
class KaldiFileError : public llvm::ErrorInfo<KaldiFileError> {
public:
  static char ID;

  KaldiFileError(std::string file, std::string message)
      : file(std::move(file)), message(std::move(message)) {}

  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override;

  std::string file;
  std::string message;
  std::vector<KaldiNote> notes;
};

/// Creates a KaldiFileError. With an empty `file`, as for command line options,
/// it prints as `error: MESSAGE`.
llvm::Error makeFileError(const llvm::Twine &file, const llvm::Twine &message);

/// Adds a note to an error of the two kinds above.
llvm::Error addNote(llvm::Error error, const KaldiNote &note);

/// Returns `text` in single quotes for a message, with unprintable bytes
/// escaped, and truncated if it is long.
std::string quoteForMessage(llvm::StringRef text);

} // namespace nnet3::kaldi

#endif // NNET3_KALDI_IO_KALDIERROR_H
