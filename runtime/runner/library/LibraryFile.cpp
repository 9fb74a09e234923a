//===- LibraryFile.cpp - The file of a library and its checksum -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LibraryFile.h"
#include "core/Loader.h"
#include "nnet3/runtime/LibraryTrailer.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <sys/stat.h>
#include <unistd.h>

namespace nnet3 {
namespace rt {

/// Writes \p elf and its trailer into a new file with the permissions of \p
/// like.
static bool writeLibrary(const std::string &path, const std::string &like,
                         const std::string &elf) {
  std::FILE *file = std::fopen(path.c_str(), "wxb");
  if (!file)
    return false;
  const LibraryTrailer trailer = makeLibraryTrailer(elf.data(), elf.size());
  struct stat about;
  const bool isGood =
      stat(like.c_str(), &about) == 0 &&
      fchmod(fileno(file), about.st_mode & 07777) == 0 &&
      std::fwrite(elf.data(), 1, elf.size(), file) == elf.size() &&
      std::fwrite(&trailer, sizeof(trailer), 1, file) == 1 &&
      std::fflush(file) == 0 && fsync(fileno(file)) == 0;
  return std::fclose(file) == 0 && isGood;
}

Status replaceLibrary(const std::string &path, const std::string &elf) {
  const std::string scratch = path + ".part" + std::to_string(getpid());
  if (writeLibrary(scratch, path, elf) &&
      std::rename(scratch.c_str(), path.c_str()) == 0)
    return Status();
  const Status error(NNET3RT_IO_ERROR,
                     scratch + ": " + std::string(std::strerror(errno)));
  std::remove(scratch.c_str());
  return error;
}

/// Whether a file may be a library of nnet3-compile: it contains the names of
/// its functions, also after strip.
static bool hasLibraryFunctions(const char *data, uint64_t size) {
  constexpr char name[] = "_abi_version";
  return memmem(data, size, name, sizeof(name)) != nullptr;
}

Status addChecksum(const std::string &path) {
  auto file = mapFile(path);
  if (!file.ok())
    return file.status();
  const auto *data = static_cast<const char *>((*file)->data);
  uint64_t size = (*file)->size;
  if (hasLibraryTrailer(data, size))
    size -= sizeof(LibraryTrailer);
  if (!hasLibraryFunctions(data, size))
    return invalidArgument("expects a library of nnet3-compile, but the file "
                           "has no function that ends in '_abi_version'");
  return replaceLibrary(path, std::string(data, size));
}

} // namespace rt
} // namespace nnet3
