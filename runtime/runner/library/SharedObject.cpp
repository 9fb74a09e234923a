//===- SharedObject.cpp - Libraries of nnet3-compile in memory ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SharedObject.h"
#include "core/Loader.h"
#include "nnet3/runtime/LibraryMachine.h"
#include "nnet3/runtime/LibraryTrailer.h"

#include <cerrno>
#include <cstring>
#include <dlfcn.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

namespace nnet3 {
namespace rt {

SharedObject::~SharedObject() {
  dlclose(handle);
  if (descriptor >= 0)
    close(descriptor);
}

void *SharedObject::find(const std::string &symbol) const {
  return dlsym(handle, symbol.c_str());
}

static Status ioError(const std::string &message) {
  return Status(NNET3RT_IO_ERROR, message);
}

static Result<void *> load(const std::string &path) {
  void *handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle)
    return ioError(std::string("cannot load the library: ") + dlerror());
  return handle;
}

Result<std::shared_ptr<SharedObject>>
SharedObject::openFile(const std::string &path) {
  auto file = mapFile(path);
  if (!file.ok())
    return file.status();
  if (const char *error = checkLibraryTrailer((*file)->data, (*file)->size))
    return ioError(error);
  if (std::string error = checkLibraryMachine((*file)->data, (*file)->size);
      !error.empty())
    return ioError(error);
  // With a slash, the dynamic linker does not search its path.
  const std::string name =
      path.find('/') == std::string::npos ? "./" + path : path;
  auto handle = load(name);
  if (!handle.ok())
    return handle.status();
  return std::shared_ptr<SharedObject>(new SharedObject(*handle));
}

std::optional<uint64_t> SharedObject::findInFile(const void *address,
                                                 uint64_t size) {
  struct Search {
    uint64_t address, size;
    std::optional<uint64_t> found;
  } search = {reinterpret_cast<uint64_t>(address), size, std::nullopt};
  dl_iterate_phdr(
      [](dl_phdr_info *object, size_t, void *data) {
        auto &search = *static_cast<Search *>(data);
        for (int i = 0; i < object->dlpi_phnum && !search.found; ++i) {
          const auto &segment = object->dlpi_phdr[i];
          const uint64_t begin = object->dlpi_addr + segment.p_vaddr;
          if (segment.p_type == PT_LOAD && search.address >= begin &&
              search.address - begin <= segment.p_filesz &&
              search.size <= segment.p_filesz - (search.address - begin))
            search.found = segment.p_offset + (search.address - begin);
        }
        return int(search.found.has_value());
      },
      &search);
  return search.found;
}

static bool writeAll(int descriptor, const void *data, uint64_t size) {
  const auto *bytes = static_cast<const char *>(data);
  while (size != 0) {
    const ssize_t written = write(descriptor, bytes, size);
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return false;
    bytes += written;
    size -= static_cast<uint64_t>(written);
  }
  return true;
}

Result<std::shared_ptr<SharedObject>> SharedObject::openBytes(const void *data,
                                                              uint64_t size) {
  const int descriptor = memfd_create("nnet3-library", MFD_CLOEXEC);
  if (descriptor < 0 || !writeAll(descriptor, data, size)) {
    const std::string reason = std::strerror(errno);
    if (descriptor >= 0)
      close(descriptor);
    return ioError("cannot keep the library in memory: " + reason);
  }
  auto handle = load("/proc/self/fd/" + std::to_string(descriptor));
  if (!handle.ok()) {
    close(descriptor);
    return handle.status();
  }
  // The descriptor stays open, because the dynamic linker identifies libraries
  // by name and would return this one for a reused descriptor.
  return std::shared_ptr<SharedObject>(new SharedObject(*handle, descriptor));
}

} // namespace rt
} // namespace nnet3
