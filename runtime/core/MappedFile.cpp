//===- MappedFile.cpp - Files in memory -----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MappedFile.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace nnet3 {
namespace rt {

MappedFile::~MappedFile() {
  if (data)
    munmap(const_cast<void *>(data), size);
}

static Status ioError(const std::string &path, const std::string &reason) {
  return Status(NNET3RT_IO_ERROR, "cannot map '" + path + "': " + reason);
}

Result<std::shared_ptr<MappedFile>> mapFile(const std::string &path) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0)
    return ioError(path, std::strerror(errno));
  struct stat info;
  const bool regular = fstat(descriptor, &info) == 0 && S_ISREG(info.st_mode);
  if (!regular || info.st_size <= 0) {
    close(descriptor);
    return ioError(path, regular ? "the file is empty" : "not a regular file");
  }
  const auto size = static_cast<uint64_t>(info.st_size);
  void *data = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
  const int reason = errno;
  close(descriptor);
  if (data == MAP_FAILED)
    return ioError(path, std::strerror(reason));
  auto file = std::make_shared<MappedFile>();
  file->data = data;
  file->size = size;
  return file;
}

} // namespace rt
} // namespace nnet3
