//===- ProgramCache.cpp - Compiled programs on disk -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A file is a header and the program.
//
//===----------------------------------------------------------------------===//

#include "nnet3/Execution/ProgramCache.h"

#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir::nnet3;
using llvm::ArrayRef;
using llvm::StringRef;
using llvm::Twine;
namespace fs = llvm::sys::fs;

static constexpr char kMagic[8] = {'N', 'N', '3', 'C', 'A', 'C', 'H', '1'};
static constexpr StringRef kSuffix = ".n3pc";
static constexpr StringRef kTemporarySuffix = ".n3pc.tmp";

namespace {
struct Header {
  char magic[sizeof(kMagic)];
  uint64_t programSize;
  ProgramKey key;
  /// Checksum of the rest of the file.
  std::array<uint8_t, 32> checksum;
};
static_assert(sizeof(Header) == 80, "no byte of a header is padding");
} // namespace

static Header makeHeader(const ProgramKey &key, StringRef program) {
  Header header = {};
  std::copy(std::begin(kMagic), std::end(kMagic), header.magic);
  header.programSize = program.size();
  header.key = key;
  llvm::BLAKE3 hasher;
  hasher.update(StringRef(reinterpret_cast<const char *>(&header),
                          offsetof(Header, checksum)));
  hasher.update(program);
  header.checksum = hasher.final<sizeof(Header::checksum)>();
  return header;
}

ProgramCache::ProgramCache(StringRef folder, uint64_t maxBytes, Report warn,
                           Report debug)
    : folder(folder), maxBytes(maxBytes), warn(std::move(warn)),
      debug(std::move(debug)) {
  auto nothing = [](const Twine &) {};
  if (!this->warn)
    this->warn = nothing;
  if (!this->debug)
    this->debug = nothing;
}

std::string ProgramCache::getPath(const ProgramKey &key) const {
  llvm::SmallString<256> path(folder);
  llvm::sys::path::append(path, toHex(key) + kSuffix);
  return path.str().str();
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// Reads a whole file. Mapping would be unsafe: the process would crash if the
/// file were truncated.
static std::optional<std::string> readFile(fs::file_t file, uint64_t size) {
  std::string bytes(size, '\0');
  for (size_t at = 0; at < size;) {
    auto count = fs::readNativeFile(
        file, llvm::MutableArrayRef(bytes.data() + at, size - at));
    if (!count)
      llvm::consumeError(count.takeError());
    if (!count || *count == 0)
      return std::nullopt;
    at += *count;
  }
  return bytes;
}

/// Returns the program in the bytes of a file; none if the file is damaged.
static std::optional<std::string> checkEntry(std::string bytes,
                                             const ProgramKey &key) {
  if (bytes.size() < sizeof(Header))
    return std::nullopt;
  StringRef program = StringRef(bytes).drop_front(sizeof(Header));
  Header expected = makeHeader(key, program);
  if (!StringRef(bytes).starts_with(
          {reinterpret_cast<const char *>(&expected), sizeof(expected)}))
    return std::nullopt;
  bytes.erase(0, sizeof(Header));
  return bytes;
}

std::optional<std::string> ProgramCache::find(const ProgramKey &key) {
  std::string path = getPath(key);
  fs::file_status status;
  // Opening a pipe could block forever, so only regular files are opened.
  if (fs::status(path, status) || !fs::is_regular_file(status))
    return std::nullopt;
  llvm::Expected<fs::file_t> file = fs::openNativeFileForRead(path);
  if (!file) {
    llvm::consumeError(file.takeError());
    return std::nullopt;
  }
  std::optional<std::string> program;
  if (!fs::status(*file, status) && status.getSize() <= maxBytes)
    if (auto bytes = readFile(*file, status.getSize()))
      program = checkEntry(std::move(*bytes), key);
  // Mark the entry as recently used. This fails silently in a read-only folder.
  if (program)
    (void)fs::setLastAccessAndModificationTime(
        *file, std::chrono::system_clock::now());
  else
    debug(path + " is damaged");
  fs::closeFile(*file);
  return program;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

std::error_code ProgramCache::write(const std::string &path,
                                    const ProgramKey &key, StringRef program) {
  if (std::error_code code =
          fs::create_directories(folder, /*IgnoreExisting=*/true, fs::all_all))
    return code;
  StringRef stem = StringRef(path).drop_back(kSuffix.size());
  auto file = fs::TempFile::create(stem + kTemporarySuffix + "%%%%%%%%");
  if (!file)
    return llvm::errorToErrorCode(file.takeError());
  Header header = makeHeader(key, program);
  llvm::raw_fd_ostream os(file->FD, /*shouldClose=*/false);
  os.write(reinterpret_cast<const char *>(&header), sizeof(header));
  os << program;
  os.flush();
  std::error_code code = os.error();
  os.clear_error();
  if (!code)
    return llvm::errorToErrorCode(file->keep(path));
  llvm::consumeError(file->discard());
  return code;
}

namespace {
/// A file of the cache folder.
struct CacheFile {
  std::string path;
  uint64_t size;
  llvm::sys::TimePoint<> used;
};
} // namespace

/// Lists the entries of `folder`. Removes temporary files of processes that
/// were killed.
static std::vector<CacheFile> listEntries(StringRef folder) {
  std::vector<CacheFile> files;
  auto longAgo = std::chrono::system_clock::now() - std::chrono::hours(1);
  std::error_code code;
  for (fs::directory_iterator it(folder, code), end; it != end && !code;
       it.increment(code)) {
    StringRef path = it->path();
    fs::file_status status;
    if (fs::status(path, status) || !fs::is_regular_file(status))
      continue;
    if (path.ends_with(kSuffix))
      files.push_back(
          {path.str(), status.getSize(), status.getLastModificationTime()});
    else if (path.contains(kTemporarySuffix) &&
             status.getLastModificationTime() < longAgo)
      fs::remove(path);
  }
  return files;
}

/// Another process may do the same, so a missing file counts as removed.
void ProgramCache::removeOldest(StringRef except) {
  std::vector<CacheFile> files = listEntries(folder);
  uint64_t total = 0;
  for (const CacheFile &file : files)
    total += file.size;
  llvm::sort(files, [](const CacheFile &a, const CacheFile &b) {
    return std::tie(a.used, a.path) < std::tie(b.used, b.path);
  });
  for (const CacheFile &file : files) {
    if (total <= maxBytes)
      return;
    if (file.path == except || fs::remove(file.path))
      continue;
    total -= file.size;
    debug(file.path + " is removed: there are more than " + Twine(maxBytes) +
          " bytes");
  }
}

void ProgramCache::store(const ProgramKey &key, StringRef program) {
  if (!isWritable || sizeof(Header) + program.size() > maxBytes)
    return;
  std::string path = getPath(key);
  if (std::error_code code = write(path, key, program)) {
    warn("warning: cannot write to the program cache " + folder + ": " +
         code.message() + "; compiled programs are not kept");
    isWritable = false;
    return;
  }
  removeOldest(path);
}
