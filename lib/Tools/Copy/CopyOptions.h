//===- CopyOptions.h - The command line of nnet3-copy -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_TOOLS_COPY_COPYOPTIONS_H
#define NNET3_TOOLS_COPY_COPYOPTIONS_H

#include "nnet3/Kaldi/Matrix/CompressedMatrix.h"
#include "nnet3/Kaldi/Tables/Tables.h"
#include "nnet3/Tools/ModelChanges.h"
#include "nnet3/Tools/OptionParser.h"

namespace mlir::nnet3 {

struct CopyOptions {
  /// What is copied: `matrix`, `egs`, `model`, ...
  std::string kind;
  std::string input;
  std::string output;

  bool binary = true;
  int32_t digits = 9;
  bool compress = false;
  bool decompress = false;
  int32_t compressionMethod = 1;
  bool allowScpPipes = false;

  std::string io;

  bool raw = false;
  /// Of the form with two arguments.
  ModelChanges changes;
  bool printArgs = true;

  void registerOptions(OptionParser &parser);

  /// Takes the positional arguments and checks all of it.
  llvm::Error finish(llvm::ArrayRef<std::string> positional);

  ::nnet3::kaldi::TableOptions getTableOptions() const;
  ::nnet3::kaldi::CompressionMethod getMethod() const {
    return static_cast<::nnet3::kaldi::CompressionMethod>(compressionMethod);
  }
};

/// Whether `word` is something that is copied, such as `matrix`.
bool isKind(llvm::StringRef word);

/// Whether `name` is a table (`ark:...`, `scp,p:...`) rather than a file.
bool isTableName(llvm::StringRef name);

/// What was copied, for the closing line: nothing if the input is one file.
struct CopyCount {
  int64_t read = 0;
  int64_t written = 0;
};

/// The copying of each kind; examples of both kinds are copied as what they
/// are. Errors say what is wrong and where.
llvm::Expected<CopyCount> copyValues(const CopyOptions &options);
llvm::Expected<CopyCount> copyExamples(const CopyOptions &options);

/// Copies a model; false after printing what is wrong.
bool copyModel(const CopyOptions &options);

/// Copies the raw network of the model `input` and changes it, as Kaldi's
/// nnet3-copy; false after printing what is wrong.
bool copyRawModel(const CopyOptions &options, llvm::StringRef input,
                  llvm::StringRef output);

} // namespace mlir::nnet3

#endif // NNET3_TOOLS_COPY_COPYOPTIONS_H
