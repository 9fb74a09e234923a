//===- Modules.cpp - Optional modules of programs -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Tools/Common/Modules.h"
#include "nnet3/Kaldi/IO/KaldiError.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/DynamicLibrary.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace mlir::nnet3;

llvm::Expected<void *> mlir::nnet3::loadModule(llvm::StringRef name,
                                               llvm::StringRef symbol,
                                               llvm::StringRef need) {
  static int inProgram;
  llvm::SmallString<128> path(
      llvm::sys::fs::getMainExecutable(nullptr, &inProgram));
  llvm::sys::path::remove_filename(path);
  llvm::sys::path::append(path, "..", "lib", "nnet3", name + ".so");
  std::string message;
  auto library =
      llvm::sys::DynamicLibrary::getPermanentLibrary(path.c_str(), &message);
  void *function = library.isValid()
                       ? library.getAddressOfSymbol(symbol.str().c_str())
                       : nullptr;
  if (function)
    return function;
  return ::nnet3::kaldi::makeFileError(
      path, need + (message.empty() ? "" : ": ") + message);
}
