//===- CrossRuntime.cpp - The runtime for other machines ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Target/Library/CrossRuntime.h"
#include "nnet3/Target/Cpu/CpuTarget.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace mlir::nnet3;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

std::string mlir::nnet3::getToolPath() {
  static int anchor;
  return fs::getMainExecutable(nullptr, &anchor);
}

std::string mlir::nnet3::getLibraryFolder() {
  llvm::SmallString<128> folder =
      path::parent_path(path::parent_path(getToolPath()));
  path::append(folder, "lib");
  return folder.str().str();
}

/// The regular files of `folder`, or its folders, in alphabetical order.
static std::vector<std::string> list(llvm::StringRef folder,
                                     fs::file_type type) {
  std::vector<std::string> result;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end;
       at.increment(error))
    if (at->type() == type)
      result.push_back(at->path());
  llvm::sort(result);
  return result;
}

llvm::FailureOr<CrossRuntime> CrossRuntime::find(const llvm::Triple &triple,
                                                 std::string &error) {
  llvm::SmallString<128> all(getLibraryFolder());
  path::append(all, "nnet3");
  std::vector<llvm::StringRef> names;
  const std::vector<std::string> folders =
      list(all, fs::file_type::directory_file);
  for (const std::string &folder : folders) {
    // A build may not have come to it yet.
    if (!fs::exists(folder + "/nnet3_library.o"))
      continue;
    const llvm::Triple other(llvm::Triple::normalize(path::filename(folder)));
    if (other.getArch() == triple.getArch() &&
        other.getOS() == triple.getOS() &&
        other.getEnvironment() == triple.getEnvironment()) {
      CrossRuntime result;
      result.folder = folder;
      return result;
    }
    names.push_back(path::filename(folder));
  }
  error =
      "libraries for '" + getTargetName(triple) + "' need a runtime for it; ";
  error += names.empty() ? "there is none for other machines"
                         : "there are those for " + llvm::join(names, ", ");
  return llvm::failure();
}

std::vector<std::string> CrossRuntime::getFiles() const {
  // The objects first, then the archives, then the system's libraries.
  std::vector<std::string> files;
  for (llvm::StringRef extension : {".o", ".a", ".so"})
    for (const std::string &file : list(folder, fs::file_type::regular_file))
      if (path::extension(file) == extension &&
          path::filename(file) != "libnnet3_library.a")
        files.push_back(file);
  return files;
}
