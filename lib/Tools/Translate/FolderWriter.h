//===- FolderWriter.h - Writing files together ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_LIB_TOOLS_TRANSLATE_FOLDERWRITER_H
#define NNET3_LIB_TOOLS_TRANSLATE_FOLDERWRITER_H

#include "nnet3/Kaldi/IO/OutputFile.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>
#include <vector>

namespace mlir::nnet3 {

/// Writes files of a folder, which are renamed together at the end.
class FolderWriter {
public:
  explicit FolderWriter(llvm::StringRef folder) : folder(folder) {}
  ~FolderWriter();

  llvm::Error create();

  /// Writes the file `path` with `write`.
  llvm::Error write(llvm::StringRef path,
                    llvm::function_ref<void(llvm::raw_ostream &)> write);
  /// Writes `text` to the file `name` of the folder.
  llvm::Error write(llvm::StringRef name, const llvm::Twine &text);

  llvm::Error commit();

  std::string getPath(llvm::StringRef name) const;

private:
  std::string folder;
  /// Whether this object has created the folder and not finished it.
  bool isNew = false;
  std::vector<std::unique_ptr<::nnet3::kaldi::OutputFile>> files;
};

} // namespace mlir::nnet3

#endif // NNET3_LIB_TOOLS_TRANSLATE_FOLDERWRITER_H
