//===- FolderWriter.cpp - Writing files together --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FolderWriter.h"
#include "nnet3/Kaldi/IO/KaldiError.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace ::nnet3::kaldi;
using namespace mlir::nnet3;

FolderWriter::~FolderWriter() {
  files.clear();
  if (isNew)
    llvm::sys::fs::remove(folder);
}

llvm::Error FolderWriter::create() {
  isNew = !llvm::sys::fs::exists(folder);
  if (std::error_code code = llvm::sys::fs::create_directories(
          folder, /*IgnoreExisting=*/true, llvm::sys::fs::all_all))
    return makeFileError(folder, "cannot write: " + code.message());
  return llvm::Error::success();
}

llvm::Error
FolderWriter::write(llvm::StringRef path,
                    llvm::function_ref<void(llvm::raw_ostream &)> write) {
  auto file = OutputFile::create(path);
  if (!file)
    return file.takeError();
  write((*file)->getStream());
  if (llvm::Error error = (*file)->flush())
    return error;
  files.push_back(std::move(*file));
  return llvm::Error::success();
}

llvm::Error FolderWriter::write(llvm::StringRef name, const llvm::Twine &text) {
  return write(getPath(name), [&](llvm::raw_ostream &os) { os << text; });
}

llvm::Error FolderWriter::commit() {
  for (auto &file : files)
    if (llvm::Error error = file->commit())
      return error;
  isNew = false;
  return llvm::Error::success();
}

std::string FolderWriter::getPath(llvm::StringRef name) const {
  llvm::SmallString<128> path(folder);
  llvm::sys::path::append(path, name);
  return path.str().str();
}
