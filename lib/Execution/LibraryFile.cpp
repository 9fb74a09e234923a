//===- LibraryFile.cpp - Shared libraries as models -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Opening a library runs its constructors, and the dynamic linker trusts the
// file. So the checksum of the file is verified first.
//
//===----------------------------------------------------------------------===//

#include "nnet3/Execution/LibraryRunner.h"
#include "nnet3/Kaldi/IO/KaldiError.h"
#include "nnet3/runtime/LibraryMachine.h"
#include "nnet3/runtime/LibraryTrailer.h"

#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <dlfcn.h>

using namespace ::nnet3::kaldi;
using namespace mlir::nnet3;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
namespace object = llvm::object;
namespace rt = ::nnet3::rt;

bool mlir::nnet3::isLibraryFile(StringRef file) {
  if (!llvm::sys::fs::is_regular_file(file))
    return false;
  auto head = llvm::MemoryBuffer::getFileSlice(file, 4, 0);
  return head && (*head)->getBuffer() == "\x7f"
                                         "ELF";
}

static Error makeError(const llvm::Twine &message) {
  return llvm::createStringError(message);
}

/// Returns the prefix of the public functions, such as `PREFIX_model_open`.
static Expected<std::string> findPrefix(const object::ELF64LEObjectFile &file) {
  for (const object::ELFSymbolRef &symbol : file.getDynamicSymbolIterators()) {
    auto name = symbol.getName();
    if (!name)
      return name.takeError();
    StringRef prefix = *name;
    if (prefix.consume_back("_model_open"))
      return prefix.str();
  }
  return makeError("this is no library of nnet3-compile");
}

/// Verifies the checksum of the library at `path` and returns its prefix.
static Expected<std::string> inspect(StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer)
    return llvm::errorCodeToError(buffer.getError());
  if (const char *error = rt::checkLibraryTrailer((*buffer)->getBufferStart(),
                                                  (*buffer)->getBufferSize()))
    return makeError(error);
  if (std::string error = rt::checkLibraryMachine((*buffer)->getBufferStart(),
                                                  (*buffer)->getBufferSize());
      !error.empty())
    return makeError(error);
  auto file = object::ObjectFile::createELFObjectFile(**buffer);
  if (!file)
    return file.takeError();
  const auto *elf = llvm::dyn_cast<object::ELF64LEObjectFile>(file->get());
  if (!elf)
    return makeError("this is no shared library for this machine");
  return findPrefix(*elf);
}

/// Returns `NAME.weights` in the folder of `libNAME.so`.
static std::string getWeightsPath(StringRef path) {
  StringRef name = llvm::sys::path::filename(path);
  name.consume_front("lib");
  name.consume_back(".so");
  llvm::SmallString<256> weights(llvm::sys::path::parent_path(path));
  llvm::sys::path::append(weights, name + ".weights");
  return weights.str().str();
}

static Expected<std::shared_ptr<CompiledLibrary>> load(StringRef path) {
  auto prefix = inspect(path);
  if (!prefix)
    return prefix.takeError();
  // For a path with a slash, the linker does not search the library path.
  llvm::SmallString<256> absolute(path);
  if (std::error_code error = llvm::sys::fs::make_absolute(absolute))
    return llvm::errorCodeToError(error);
  void *handle = dlopen(absolute.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle)
    return makeError(dlerror());
  std::shared_ptr<void> code(handle, [](void *handle) { dlclose(handle); });
  auto lookup = [&](StringRef name) {
    return dlsym(handle, name.str().c_str());
  };
  return CompiledLibrary::open(*prefix, lookup, code, getWeightsPath(absolute));
}

Expected<std::shared_ptr<CompiledLibrary>>
mlir::nnet3::openLibraryFile(StringRef file) {
  auto library = load(file);
  if (library)
    return library;
  return makeFileError(file, llvm::toString(library.takeError()));
}
