//===- Linker.cpp - From object files to libraries ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Target/Library/LibraryEmitter.h"
#include "nnet3/runtime/LibraryTrailer.h"

#include "llvm/Object/ArchiveWriter.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"

#include <sys/mman.h>
#include <unistd.h>

using namespace mlir;
using namespace mlir::nnet3;
namespace rt = ::nnet3::rt;

namespace {
/// Files that go when the linking is done, or a signal ends the program.
class TemporaryFiles {
public:
  ~TemporaryFiles() {
    for (const std::string &path : paths) {
      llvm::sys::fs::remove(path);
      llvm::sys::DontRemoveFileOnSignal(path);
    }
  }

  /// A new file beside `path` with these bytes. After an error, which `error`
  /// keeps, the name is empty.
  std::string create(StringRef path, StringRef suffix, ArrayRef<char> bytes) {
    int descriptor;
    SmallString<128> name;
    if (!error)
      error = llvm::sys::fs::createUniqueFile(path + ".%%%%%%" + suffix,
                                              descriptor, name);
    if (error)
      return {};
    paths.push_back(name.str().str());
    llvm::sys::RemoveFileOnSignal(name);
    llvm::raw_fd_ostream os(descriptor, /*shouldClose=*/true);
    os.write(bytes.data(), bytes.size());
    os.close();
    error = os.error();
    os.clear_error();
    return paths.back();
  }

  std::error_code error;

private:
  std::vector<std::string> paths;
};
} // namespace

namespace {
/// What the linker says, in memory: it may have to say that the disk is full.
class LinkerMessages {
public:
  LinkerMessages() : descriptor(memfd_create("nnet3-linker", 0)) {}
  ~LinkerMessages() {
    if (descriptor >= 0)
      close(descriptor);
  }

  /// The name by which processes that inherit the file open it.
  std::string getName() const {
    return descriptor < 0 ? "" : "/dev/fd/" + std::to_string(descriptor);
  }

  /// The first lines.
  std::string getText() const {
    std::string text(2000, '\0');
    ssize_t size =
        descriptor < 0 ? 0 : pread(descriptor, text.data(), text.size(), 0);
    text.resize(size < 0 ? 0 : size);
    return StringRef(text).trim().str();
  }

private:
  int descriptor;
};
} // namespace

/// The file that holds the runtime's part of libraries: where the build has it,
/// relative to the tools.
static std::string findArchive() {
  static int anchor;
  std::string tool = llvm::sys::fs::getMainExecutable(nullptr, &anchor);
  SmallString<128> path =
      llvm::sys::path::parent_path(llvm::sys::path::parent_path(tool));
  llvm::sys::path::append(path, "lib", "libnnet3_library.a");
  return path.str().str();
}

static std::string findCompiler() {
  for (StringRef name : {"c++", "g++", "clang++"})
    if (auto path = llvm::sys::findProgramByName(name))
      return *path;
  return {};
}

/// Assembly that puts the bytes of a file under a name, 64-byte aligned.
static std::string getWeightsAssembly(StringRef symbol, StringRef file) {
  return ("\t.section .rodata.nnet3_weights,\"a\"\n\t.p2align 6\n\t.globl " +
          symbol + "\n\t.hidden " + symbol + "\n" + symbol + ":\n\t.incbin \"" +
          file + "\"\n\t.section .note.GNU-stack,\"\",%progbits\n")
      .str();
}

/// Runs the linker. Its messages become notes of the error.
static LogicalResult runLinker(Location loc, StringRef compiler,
                               ArrayRef<StringRef> arguments) {
  LinkerMessages messages;
  const std::string name = messages.getName();
  std::optional<StringRef> redirects[] = {StringRef(""), name, name};
  std::string error;
  int status = llvm::sys::ExecuteAndWait(compiler, arguments, std::nullopt,
                                         redirects, 0, 0, &error);
  if (status == 0)
    return success();
  if (error.empty())
    error = llvm::formatv("{0} ends with status {1}", compiler, status);
  InFlightDiagnostic diagnostic = emitError(loc)
                                  << "cannot link the library: " << error;
  const std::string said = messages.getText();
  if (!said.empty())
    for (StringRef line : llvm::split(said, '\n'))
      diagnostic.attachNote() << line;
  return diagnostic;
}

/// Links `object`, the weights where they are part of the library, and what
/// `arguments` name, into one of `files`, which lies beside `path`.
static FailureOr<std::string>
link(Location loc, ArrayRef<char> object, const LibraryData &data,
     const LibraryOptions &options, StringRef path,
     ArrayRef<StringRef> arguments, TemporaryFiles &files) {
  std::string compiler = findCompiler();
  if (compiler.empty())
    return emitError(loc)
           << "needs a C++ compiler to link with, but found none";
  std::string code = files.create(path, ".o", object);
  std::string result = files.create(path, ".out", {});
  std::string bytes, assembly;
  if (options.embedWeights) {
    bytes = files.create(path, ".bin", data.weights);
    std::string text = getWeightsAssembly(options.getWeightsSymbol(), bytes);
    assembly = files.create(path, ".s", text);
  }
  if (files.error)
    return emitError(loc) << "cannot write files beside " << path << ": "
                          << files.error.message();
  SmallVector<StringRef> all = {compiler, "-o", result, code};
  if (options.embedWeights)
    all.push_back(assembly);
  llvm::append_range(all, arguments);
  if (failed(runLinker(loc, compiler, all)))
    return failure();
  return result;
}

static LogicalResult emitWriteError(Location loc, StringRef path,
                                    const std::string &message) {
  return emitError(loc) << "cannot write " << path << ": " << message;
}

/// Appends the checksum of the file `library`, which the loaders of this
/// project compare before they open it.
static LogicalResult appendTrailer(Location loc, StringRef library) {
  auto buffer = llvm::MemoryBuffer::getFile(library, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer)
    return emitError(loc) << "cannot read " << library << ": "
                          << buffer.getError().message();
  const rt::LibraryTrailer trailer = rt::makeLibraryTrailer(
      (*buffer)->getBufferStart(), (*buffer)->getBufferSize());
  std::error_code error;
  llvm::raw_fd_ostream os(library, error, llvm::sys::fs::CD_OpenExisting,
                          llvm::sys::fs::FA_Write, llvm::sys::fs::OF_Append);
  if (!error) {
    os.write(reinterpret_cast<const char *>(&trailer), sizeof(trailer));
    os.close();
    error = os.error();
    os.clear_error();
  }
  if (error)
    return emitWriteError(loc, library, error.message());
  return success();
}

LogicalResult mlir::nnet3::linkLibrary(Location loc, ArrayRef<char> object,
                                       const LibraryData &data,
                                       const LibraryOptions &options,
                                       StringRef path) {
  std::string archive = findArchive();
  if (!llvm::sys::fs::exists(archive))
    return emitError(loc) << "needs " << archive << ", which is not there";
  TemporaryFiles files;
  SmallVector<StringRef> arguments = {"-shared",
                                      archive,
                                      "-static-libstdc++",
                                      "-static-libgcc",
                                      "-Wl,--gc-sections",
                                      "-Wl,--exclude-libs,ALL",
                                      "-Wl,--build-id=none",
                                      "-Wl,--no-undefined",
                                      "-lm",
                                      "-pthread",
                                      "-s"};
  // Where the C library does not have dlopen itself.
  if (data.isForGpu)
    arguments.push_back("-ldl");
  auto library = link(loc, object, data, options, path, arguments, files);
  if (failed(library) || failed(appendTrailer(loc, *library)))
    return failure();
  if (std::error_code error = llvm::sys::fs::rename(*library, path))
    return emitWriteError(loc, path, error.message());
  return success();
}

LogicalResult mlir::nnet3::archiveLibrary(Location loc, ArrayRef<char> object,
                                          const LibraryData &data,
                                          const LibraryOptions &options,
                                          StringRef path) {
  TemporaryFiles files;
  auto linked =
      link(loc, object, data, options, path, {"-r", "-nostdlib"}, files);
  if (failed(linked))
    return failure();
  auto member =
      llvm::NewArchiveMember::getFile(*linked, /*Deterministic=*/true);
  if (!member)
    return emitWriteError(loc, path, llvm::toString(member.takeError()));
  std::string name = options.prefix + ".o";
  member->MemberName = name;
  llvm::Error error = llvm::writeArchive(
      path, *member, llvm::SymtabWritingMode::NormalSymtab,
      llvm::object::Archive::K_GNU, /*Deterministic=*/true, /*Thin=*/false);
  if (error)
    return emitWriteError(loc, path, llvm::toString(std::move(error)));
  return success();
}
