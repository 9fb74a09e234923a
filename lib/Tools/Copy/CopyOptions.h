//===- CopyOptions.h - The command line of nnet3-copy -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_TOOLS_COPY_COPYOPTIONS_H
#define NNET3_TOOLS_COPY_COPYOPTIONS_H

#include "nnet3/Kaldi/Matrix/CompressedMatrix.h"
#include "nnet3/Kaldi/Tables/Tables.h"
#include "nnet3/Tools/Common/OptionParser.h"
#include "nnet3/Tools/ModelChanges.h"

namespace mlir::nnet3 {

struct CopyOptions {
  /// The kind of objects: `matrix`, `egs`, `model`, ...
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
  /// Used by the form with two arguments.
  ModelChanges changes;
  bool printArgs = true;

  void registerOptions(OptionParser &parser);

  /// Stores the positional arguments and checks all options.
  llvm::Error finish(llvm::ArrayRef<std::string> positional);

  ::nnet3::kaldi::TableOptions getTableOptions() const;
  ::nnet3::kaldi::CompressionMethod getMethod() const {
    return static_cast<::nnet3::kaldi::CompressionMethod>(compressionMethod);
  }
};

/// Returns true if `word` is a kind, such as `matrix`.
bool isKind(llvm::StringRef word);

/// Returns true if `name` is a table (`ark:...`, `scp,p:...`), not a file.
bool isTableName(llvm::StringRef name);

/// Counts for the closing line; none if the input is one file.
struct CopyCount {
  int64_t read = 0;
  int64_t written = 0;
};

/// Copy each kind of object; plain and chain examples keep their type. Errors
/// include the position.
llvm::Expected<CopyCount> copyValues(const CopyOptions &options);
llvm::Expected<CopyCount> copyExamples(const CopyOptions &options);

/// Copies a model; returns false after printing an error.
bool copyModel(const CopyOptions &options);

/// Copies the raw network of the model `input` and changes it, like Kaldi's
/// nnet3-copy; returns false after printing an error.
bool copyRawModel(const CopyOptions &options, llvm::StringRef input,
                  llvm::StringRef output);

} // namespace mlir::nnet3

#endif // NNET3_TOOLS_COPY_COPYOPTIONS_H
