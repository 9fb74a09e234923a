//===- SharedObject.cpp - Libraries of nnet3-compile in memory ------------===//

#include "SharedObject.h"
#include "core/Loader.h"

#include <cerrno>
#include <cstring>
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

namespace nnet3 {
namespace runtime {

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

/// Whether a shared object for this machine has all of its segments: the
/// dynamic linker believes what it reads.
static Status checkElf(const void *data, uint64_t size) {
  Elf64_Ehdr header;
  if (size < sizeof(header))
    return ioError("byte " + std::to_string(size) +
                   ": the file ends inside of the header of a library");
  std::memcpy(&header, data, sizeof(header));
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
      header.e_ident[EI_CLASS] != ELFCLASS64 ||
      header.e_ident[EI_DATA] != ELFDATA2LSB || header.e_type != ET_DYN ||
      header.e_phentsize != sizeof(Elf64_Phdr))
    return ioError("byte 0: this is no shared library for this machine");
  for (uint64_t i = 0; i < header.e_phnum; ++i) {
    const uint64_t at = header.e_phoff + i * sizeof(Elf64_Phdr);
    Elf64_Phdr segment = {};
    if (at <= size && sizeof(segment) <= size - at)
      std::memcpy(&segment, static_cast<const char *>(data) + at,
                  sizeof(segment));
    else
      segment.p_filesz = size + 1;
    if (segment.p_offset > size || segment.p_filesz > size - segment.p_offset)
      return ioError("byte " + std::to_string(size) +
                     ": the file ends inside of the library");
  }
  return Status();
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
  if (Status error = checkElf((*file)->data, (*file)->size); !error.ok())
    return error;
  // With a slash in it, the linker does not look for it elsewhere.
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
  // It stays open: the dynamic linker takes what has the same name for the same
  // library, and gives the first one again.
  return std::shared_ptr<SharedObject>(new SharedObject(*handle, descriptor));
}

} // namespace runtime
} // namespace nnet3
