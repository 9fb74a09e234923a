//===- TuneLibrary.cpp - Tuning of libraries for GPUs ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TuneLibrary.h"
#include "LibraryFile.h"
#include "core/Loader.h"
#include "nnet3/runtime/LibraryTrailer.h"

#include <cstring>

namespace nnet3 {
namespace rt {

/// Replaces \p bytes of \p path at \p offset. The library stays loaded: the old
/// file is still mapped.
static Status replace(const std::string &path, uint64_t offset,
                      const std::vector<unsigned char> &bytes) {
  auto file = mapFile(path);
  if (!file.ok())
    return file.status();
  if (const char *error = checkLibraryTrailer((*file)->data, (*file)->size))
    return Status(NNET3RT_IO_ERROR, error);
  std::string elf(static_cast<const char *>((*file)->data),
                  (*file)->size - sizeof(LibraryTrailer));
  if (offset > elf.size() || bytes.size() > elf.size() - offset)
    return Status(NNET3RT_IO_ERROR, "the file has changed meanwhile");
  std::memcpy(&elf[offset], bytes.data(), bytes.size());
  return replaceLibrary(path, elf);
}

Status tuneLibrary(const LibraryModel &model, const std::string &path) {
  auto info = model.tuningInfo();
  if (!info.ok())
    return info.status();
  if (!info->place)
    return invalidArgument("a library for the CPU has nothing to tune");
  const auto offset = SharedObject::findInFile(info->place, info->bytes);
  if (!offset)
    return invalidArgument("the library has no room for algorithms");
  auto bytes = model.tune();
  if (!bytes.ok())
    return bytes.status();
  return replace(path, *offset, *bytes);
}

} // namespace rt
} // namespace nnet3
