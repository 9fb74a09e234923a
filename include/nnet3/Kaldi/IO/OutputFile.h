//===- OutputFile.h - A file that is written atomically ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_KALDI_IO_OUTPUTFILE_H
#define NNET3_KALDI_IO_OUTPUTFILE_H

#include "nnet3/Kaldi/Matrix/Matrix.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <memory>

namespace nnet3::kaldi {

/// A file to write: a path, `-` or nothing for standard output, or `| command`
/// (what Kaldi calls a "wxfilename").
///
/// For a path, a temporary file in the same folder is written, and `commit`
/// renames it; without `commit` it is removed, also when a signal ends the
/// program. A path that exists and is not a plain file (a device, a named pipe)
/// is written directly.
class OutputFile {
public:
  static llvm::Expected<std::unique_ptr<OutputFile>>
  create(llvm::StringRef wxfilename);

  OutputFile(const OutputFile &) = delete;
  OutputFile &operator=(const OutputFile &) = delete;
  ~OutputFile();

  llvm::raw_ostream &getStream();

  /// Writes buffered data. Returns errors of earlier writes; after an error,
  /// the file cannot be committed.
  llvm::Error flush();

  /// Finishes the file under its name. Returns errors of earlier writes.
  llvm::Error commit();

private:
  struct State;
  explicit OutputFile(std::unique_ptr<State> state);

  std::unique_ptr<State> state;
};

/// Writes a file with one matrix. `digits` as for KaldiWriter.
llvm::Error writeMatrixFile(llvm::StringRef wxfilename, const Matrix &matrix,
                            bool binary, unsigned digits = 9);

} // namespace nnet3::kaldi

#endif // NNET3_KALDI_IO_OUTPUTFILE_H
