//===- TuneLibrary.cpp - What was measured, into a library's file ---------===//

#include "TuneLibrary.h"
#include "core/Loader.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <sys/stat.h>
#include <unistd.h>

namespace nnet3 {
namespace runtime {

static Status ioError(const std::string &path) {
  return Status(NNET3RT_IO_ERROR, path + ": " + std::strerror(errno));
}

/// Writes \p parts behind each other into a new file with the rights of \p
/// like.
static bool
writeFile(const std::string &path, const std::string &like,
          std::initializer_list<std::pair<const void *, size_t>> parts) {
  std::FILE *file = std::fopen(path.c_str(), "wxb");
  if (!file)
    return false;
  struct stat about;
  bool isGood = stat(like.c_str(), &about) == 0 &&
                fchmod(fileno(file), about.st_mode & 07777) == 0;
  for (auto [data, size] : parts)
    isGood = isGood && std::fwrite(data, 1, size, file) == size;
  isGood = isGood && std::fflush(file) == 0 && fsync(fileno(file)) == 0;
  return std::fclose(file) == 0 && isGood;
}

/// Replaces \p bytes of \p path at \p offset. The library stays loaded: what is
/// mapped is the old file.
static Status replace(const std::string &path, uint64_t offset,
                      const std::vector<unsigned char> &bytes) {
  auto file = mapFile(path);
  if (!file.ok())
    return file.status();
  const auto *data = static_cast<const unsigned char *>((*file)->data);
  const uint64_t size = (*file)->size, end = offset + bytes.size();
  if (end > size)
    return Status(NNET3RT_IO_ERROR, "the file has changed meanwhile");
  const std::string scratch = path + ".tuning" + std::to_string(getpid());
  if (writeFile(scratch, path,
                {{data, offset},
                 {bytes.data(), bytes.size()},
                 {data + end, size - end}}) &&
      std::rename(scratch.c_str(), path.c_str()) == 0)
    return Status();
  const Status error = ioError(scratch);
  std::remove(scratch.c_str());
  return error;
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

} // namespace runtime
} // namespace nnet3
