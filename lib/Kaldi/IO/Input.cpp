//===- Input.cpp - Input from files, pipes and standard input -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nnet3/Kaldi/IO/Input.h"
#include "Pipe.h"
#include "nnet3/Kaldi/IO/KaldiError.h"
#include "nnet3/Kaldi/IO/Reader.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace nnet3::kaldi;
using llvm::StringRef;

namespace {
/// The parts of a readable file name (rxfilename).
struct InputName {
  enum Kind { StandardInput, Command, File };
  Kind kind = File;
  /// The command, or the path.
  StringRef target;
  uint64_t offset = 0;
};

/// Reads a file descriptor.
class DescriptorSource : public ByteSource {
public:
  DescriptorSource(int descriptor, bool owned, std::string name,
                   uint64_t offset)
      : ByteSource(std::move(name), offset), descriptor(descriptor),
        owned(owned) {
    struct stat info;
    off_t here = lseek(descriptor, 0, SEEK_CUR);
    if (here >= 0 && fstat(descriptor, &info) == 0 && S_ISREG(info.st_mode))
      left = std::max<off_t>(0, info.st_size - here);
  }
  ~DescriptorSource() override {
    if (owned)
      ::close(descriptor);
  }

  llvm::Expected<size_t> read(char *data, size_t size) override {
    ssize_t got =
        llvm::sys::RetryAfterSignal(-1, ::read, descriptor, data, size);
    if (got < 0)
      return llvm::createStringError("cannot read: " + llvm::sys::StrError());
    // If the file grows meanwhile, its old end is the end.
    if (left)
      *left -= std::min<uint64_t>(*left, got);
    return got;
  }

  std::optional<uint64_t> bytesLeft() const override { return left; }

private:
  int descriptor;
  bool owned;
  /// Known for regular files only.
  std::optional<uint64_t> left;
};

/// Reads the output of a command.
class PipeSource : public ByteSource {
public:
  PipeSource(Pipe pipe, std::string name)
      : ByteSource(std::move(name)), pipe(std::move(pipe)) {}

  llvm::Expected<size_t> read(char *data, size_t size) override {
    ssize_t got = llvm::sys::RetryAfterSignal(-1, ::read, pipe.getDescriptor(),
                                              data, size);
    if (got < 0)
      return llvm::createStringError("cannot read: " + llvm::sys::StrError());
    reachedEnd |= got == 0;
    return got;
  }

  llvm::Error close() override {
    // A command whose output is not read to its end may fail with SIGPIPE.
    return reachedEnd ? pipe.close() : llvm::Error::success();
  }

private:
  Pipe pipe;
  bool reachedEnd = false;
};
} // namespace

/// Splits `path:123`; an offset that overflows stays in the path.
static void splitOffset(InputName &name) {
  size_t colon = name.target.rfind(':');
  if (colon == StringRef::npos || colon == 0)
    return;
  uint64_t offset;
  StringRef digits = name.target.substr(colon + 1);
  if (!llvm::all_of(digits, llvm::isDigit) || digits.getAsInteger(10, offset) ||
      offset > INT64_MAX)
    return;
  name.offset = offset;
  name.target = name.target.take_front(colon);
}

static llvm::Expected<InputName> parseInputName(StringRef rxfilename) {
  InputName name;
  name.target = rxfilename;
  if (rxfilename.empty() || rxfilename == "-") {
    name.kind = InputName::StandardInput;
    return name;
  }
  if (rxfilename.trim() != rxfilename)
    return makeFileError(quoteForMessage(rxfilename),
                         "expects a file name without blanks around it");
  if (rxfilename.starts_with("|"))
    return makeFileError(rxfilename, "expects something to read, but got a "
                                     "command to write to");
  if (rxfilename.ends_with("|")) {
    name.kind = InputName::Command;
    name.target = rxfilename.drop_back();
    return name;
  }
  splitOffset(name);
  return name;
}

static llvm::Expected<std::unique_ptr<ByteSource>>
openFile(const InputName &name) {
  int descriptor = llvm::sys::RetryAfterSignal(
      -1, ::open, name.target.str().c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0)
    return makeFileError(name.target, "cannot open: " + llvm::sys::StrError());
  if (name.offset != 0 && lseek(descriptor, name.offset, SEEK_SET) < 0) {
    std::string reason = llvm::sys::StrError();
    ::close(descriptor);
    return makeFileError(name.target, "cannot go to byte " +
                                          llvm::Twine(name.offset) + ": " +
                                          reason);
  }
  return std::make_unique<DescriptorSource>(descriptor, /*owned=*/true,
                                            name.target.str(), name.offset);
}

llvm::Expected<std::unique_ptr<ByteSource>>
nnet3::kaldi::openInput(StringRef rxfilename, PipePolicy pipes) {
  llvm::Expected<InputName> name = parseInputName(rxfilename);
  if (!name)
    return name.takeError();
  switch (name->kind) {
  case InputName::StandardInput:
    return std::make_unique<DescriptorSource>(STDIN_FILENO, /*owned=*/false,
                                              "<stdin>", /*offset=*/0);
  case InputName::File:
    return openFile(*name);
  case InputName::Command:
    break;
  }
  if (pipes == PipePolicy::Refuse)
    return makeFileError(rxfilename, "a command found in a file is not run "
                                     "unless --allow-scp-pipes is given");
  llvm::Expected<Pipe> pipe = Pipe::open(name->target, "r", rxfilename);
  if (!pipe)
    return pipe.takeError();
  return std::make_unique<PipeSource>(std::move(*pipe), rxfilename.str());
}

/// Reads `source` to its end, or until `reject` rejects it.
static llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
readWhole(ByteSource &source, RejectFn reject) {
  constexpr size_t chunkSize = 1 << 20;
  llvm::SmallVector<char, 0> bytes;
  while (true) {
    size_t before = bytes.size();
    bytes.resize_for_overwrite(before + chunkSize);
    llvm::Expected<size_t> got = source.read(bytes.data() + before, chunkSize);
    if (!got)
      return makeFileError(source.getName(), llvm::toString(got.takeError()));
    bytes.truncate(before + *got);
    bool isRejected = reject && before < chunkSize &&
                      reject(StringRef(bytes.data(), bytes.size()));
    if (*got == 0 || isRejected)
      break;
  }
  if (llvm::Error error = source.close())
    return error;
  return std::make_unique<llvm::SmallVectorMemoryBuffer>(
      std::move(bytes), source.getName(), /*RequiresNullTerminator=*/false);
}

/// Returns true if the file can be mapped, or if opening it gives the error.
static bool isPlain(const InputName &name) {
  llvm::sys::fs::file_status status;
  return name.kind == InputName::File && name.offset == 0 &&
         (llvm::sys::fs::status(name.target, status) ||
          llvm::sys::fs::is_regular_file(status) ||
          llvm::sys::fs::is_directory(status));
}

bool nnet3::kaldi::hasZeroByte(StringRef text) { return text.contains('\0'); }

llvm::Error nnet3::kaldi::checkIsText(StringRef text, StringRef name) {
  FileLocation zero;
  zero.byte = text.find('\0');
  if (zero.byte == StringRef::npos)
    return llvm::Error::success();
  return llvm::make_error<KaldiError>(name.str(), zero,
                                      "expects text, but got a zero byte");
}

llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
nnet3::kaldi::readInput(StringRef rxfilename, RejectFn reject,
                        PipePolicy pipes) {
  llvm::Expected<InputName> name = parseInputName(rxfilename);
  if (!name)
    return name.takeError();
  if (isPlain(*name)) {
    auto buffer = llvm::MemoryBuffer::getFile(name->target, /*IsText=*/false,
                                              /*RequiresNullTerminator=*/false);
    if (!buffer)
      return makeFileError(name->target,
                           "cannot read: " + buffer.getError().message());
    return std::move(*buffer);
  }
  llvm::Expected<std::unique_ptr<ByteSource>> source =
      openInput(rxfilename, pipes);
  if (!source)
    return source.takeError();
  return readWhole(**source, reject);
}

void nnet3::kaldi::releasePart(const llvm::MemoryBuffer &buffer,
                               StringRef part) {
  // Released pages of anonymous memory would read as zeros.
  if (buffer.getBufferKind() != llvm::MemoryBuffer::MemoryBuffer_MMap)
    return;
  uint64_t pageSize = sysconf(_SC_PAGESIZE);
  uint64_t first =
      llvm::alignTo(reinterpret_cast<uintptr_t>(part.begin()), pageSize);
  uint64_t end =
      llvm::alignDown(reinterpret_cast<uintptr_t>(part.end()), pageSize);
  // posix_madvise does nothing for this advice.
  if (first < end)
    (void)madvise(reinterpret_cast<void *>(first), end - first, MADV_DONTNEED);
}

/// Reads one value with `read` from the beginning of `rxfilename`.
template <typename T>
static llvm::Expected<T>
readOne(StringRef rxfilename, llvm::LogicalResult (KaldiReader::*read)(T &)) {
  llvm::Expected<std::unique_ptr<ByteSource>> source = openInput(rxfilename);
  if (!source)
    return source.takeError();
  KaldiReader reader(**source);
  T value;
  if (succeeded(reader.readHeader()))
    (void)(reader.*read)(value);
  if (llvm::Error error = reader.takeError())
    return error;
  // Reading to the end shows whether a command ended well.
  (void)reader.atEnd();
  if (llvm::Error error = (*source)->close())
    return error;
  return value;
}

llvm::Expected<Matrix> nnet3::kaldi::readMatrixFile(StringRef rxfilename) {
  return readOne<Matrix>(rxfilename, &KaldiReader::readMatrix);
}

llvm::Expected<std::vector<float>>
nnet3::kaldi::readVectorFile(StringRef rxfilename) {
  return readOne<std::vector<float>>(rxfilename, &KaldiReader::readVector);
}
