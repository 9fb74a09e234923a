//===- OutputFile.h - A file that appears whole or not at all ---*- C++ -*-===//
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
/// A path is written beside and renamed by `commit`; without `commit` nothing
/// is left of it, also when a signal ends the program. A path that exists and
/// is no plain file (a device, a named pipe) is written directly.
class OutputFile {
public:
  static llvm::Expected<std::unique_ptr<OutputFile>>
  create(llvm::StringRef wxfilename);

  OutputFile(const OutputFile &) = delete;
  OutputFile &operator=(const OutputFile &) = delete;
  ~OutputFile();

  llvm::raw_ostream &getStream();

  /// Writes what is buffered. Errors of earlier writes show here; after one
  /// there is nothing to commit.
  llvm::Error flush();

  /// Finishes the file under its name. Errors of earlier writes show here.
  llvm::Error commit();

private:
  struct State;
  explicit OutputFile(std::unique_ptr<State> state);

  std::unique_ptr<State> state;
};

/// Writes a file that holds one matrix or vector. `digits` as for KaldiWriter.
llvm::Error writeMatrixFile(llvm::StringRef wxfilename, const Matrix &matrix,
                            bool binary, unsigned digits = 9);
llvm::Error writeVectorFile(llvm::StringRef wxfilename,
                            llvm::ArrayRef<float> vector, bool binary,
                            unsigned digits = 9);

} // namespace nnet3::kaldi

#endif // NNET3_KALDI_IO_OUTPUTFILE_H
