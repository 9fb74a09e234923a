//===- Linker.cpp - From object files to libraries ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LinkerRun.h"
#include "nnet3/Kaldi/IO/KaldiError.h"
#include "nnet3/Target/Kaldi/Diagnostics.h"
#include "nnet3/Target/Library/CrossRuntime.h"
#include "nnet3/Target/Library/EmbeddedLinker.h"
#include "nnet3/Target/Library/LibraryEmitter.h"
#include "nnet3/Target/Library/WebModule.h"
#include "nnet3/Target/Library/WeightsObject.h"
#include "nnet3/runtime/LibraryTrailer.h"

#include "llvm/Object/ArchiveWriter.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::nnet3;
namespace rt = ::nnet3::rt;

/// The file that holds the runtime's part of libraries.
static std::string findArchive() {
  SmallString<128> path(getLibraryFolder());
  llvm::sys::path::append(path, "libnnet3_library.a");
  return path.str().str();
}

static StringRef getLldName(const CodeTarget &target) {
  return target.getTriple().isWasm() ? "wasm-ld" : "ld.lld";
}

static std::string findCompiler() {
  for (StringRef name : {"c++", "g++", "clang++"})
    if (auto path = llvm::sys::findProgramByName(name))
      return *path;
  return {};
}

/// lld under the name of its form for the files of `target`.
static std::string findLld(const CodeTarget &target) {
  for (StringRef suffix : {"-22", ""})
    if (auto path =
            llvm::sys::findProgramByName((getLldName(target) + suffix).str()))
      return *path;
  return {};
}

static bool isLinkerEmbedded = false;

void mlir::nnet3::declareEmbeddedLinker() { isLinkerEmbedded = true; }

namespace {
/// A program that links.
struct LinkerProgram {
  std::string path;
  std::string name; ///< that it is called by
  bool isCompiler = false;
};
} // namespace

/// The linker in this program; lld, if there is a runtime for it to link with;
/// or else the compiler of this machine, for this machine.
static FailureOr<LinkerProgram> findLinker(Location loc,
                                           const CodeTarget &target) {
  if (isLinkerEmbedded)
    return LinkerProgram{getToolPath(), getLldName(target).str()};
  const bool isForThis = target.isThisMachine();
  const std::string lld = findLld(target);
  std::string error;
  if (!lld.empty() &&
      (!isForThis || succeeded(CrossRuntime::find(target.getTriple(), error))))
    return LinkerProgram{lld, lld};
  if (std::string compiler = isForThis ? findCompiler() : ""; !compiler.empty())
    return LinkerProgram{compiler, compiler, /*isCompiler=*/true};
  return emitError(loc) << "needs " << getLldName(target)
                        << (isForThis ? " or a C++ compiler" : "")
                        << " to link with, but found none";
}

/// Links `objects`, the weights where they are part of the library, and what
/// `arguments` name, into one of `files`, which lies beside `path`.
static FailureOr<std::string>
link(Location loc, ArrayRef<ObjectFile> objects, const LibraryData &data,
     const LibraryOptions &options, StringRef path, const LinkerProgram &linker,
     ArrayRef<std::string> arguments, TemporaryFiles &files) {
  std::vector<std::string> code;
  for (const ObjectFile &object : objects)
    code.push_back(files.create(path, ".o", object));
  std::string result = files.create(path, ".out", {});
  std::string weights;
  if (options.embedWeights) {
    // They may be most of the memory: not once more as a file.
    LogicalResult result = success();
    weights = files.write(path, ".o", [&](llvm::raw_pwrite_stream &os) {
      result = emitWeightsObject(loc, options.getWeightsSymbol(), data.weights,
                                 options.target, os);
    });
    if (failed(result))
      return failure();
  }
  if (files.error)
    return emitError(loc) << "cannot write files beside " << path << ": "
                          << files.error.message();
  SmallVector<StringRef> all = {linker.name, "-o", result};
  llvm::append_range(all, code);
  if (options.embedWeights)
    all.push_back(weights);
  llvm::append_range(all, arguments);
  if (failed(runLinker(loc, linker.path, all)))
    return failure();
  return result;
}

static LogicalResult emitWriteError(Location loc, StringRef path,
                                    const std::string &message) {
  return emitFileError(loc.getContext(), ::nnet3::kaldi::makeFileError(
                                             path, "cannot write: " + message));
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

/// Frees the memory that libstdc++ holds ready for exceptions when the library
/// is unloaded. Linkers ignore a function that is not there.
static constexpr const char *kFini = "-fini=_ZN9__gnu_cxx9__freeresEv";

/// The runtime and the system's libraries, for the compiler of this machine.
static FailureOr<std::vector<std::string>>
getCompilerArguments(Location loc, const LibraryData &data) {
  std::string archive = findArchive();
  if (!llvm::sys::fs::exists(archive))
    return emitError(loc) << "needs " << archive << ", which is not there";
  std::vector<std::string> arguments = {"-shared",
                                        archive,
                                        "-static-libstdc++",
                                        "-static-libgcc",
                                        "-Wl,--gc-sections",
                                        "-Wl,--exclude-libs,ALL",
                                        "-Wl,--build-id=none",
                                        "-Wl,--no-undefined",
                                        std::string("-Wl,") + kFini,
                                        "-lm",
                                        "-pthread",
                                        "-s"};
  // Where the C library does not have dlopen itself.
  if (data.isForGpu)
    arguments.push_back("-ldl");
  return arguments;
}

/// The same for lld, which knows nothing of the machine.
static FailureOr<std::vector<std::string>>
getLldArguments(Location loc, const LibraryOptions &options, StringRef path,
                TemporaryFiles &files) {
  std::string error;
  auto runtime = CrossRuntime::find(options.target.getTriple(), error);
  if (failed(runtime))
    return emitError(loc) << error;
  if (options.target.getTriple().isWasm()) {
    std::vector<std::string> arguments = getWebLinkArguments(options);
    llvm::append_range(arguments, runtime->getFiles());
    return arguments;
  }
  // All but the public functions is hidden, what the C++ library has too.
  const std::string text = "{ global: " + options.prefix + "_*; local: *; };\n";
  std::vector<std::string> arguments = {
      "-shared",
      "--as-needed",
      "--gc-sections",
      "--no-undefined",
      "--eh-frame-hdr",
      "--hash-style=both",
      "--build-id=none",
      "--strip-all",
      "-z",
      "noexecstack",
      kFini,
      "--version-script=" + files.create(path, ".version", text)};
  llvm::append_range(arguments, runtime->getFiles());
  return arguments;
}

LogicalResult mlir::nnet3::linkLibrary(Location loc,
                                       ArrayRef<ObjectFile> objects,
                                       const LibraryData &data,
                                       const LibraryOptions &options,
                                       StringRef path) {
  TemporaryFiles files;
  auto linker = findLinker(loc, options.target);
  if (failed(linker))
    return failure();
  auto arguments = linker->isCompiler
                       ? getCompilerArguments(loc, data)
                       : getLldArguments(loc, options, path, files);
  if (failed(arguments))
    return failure();
  auto library =
      link(loc, objects, data, options, path, *linker, *arguments, files);
  if (failed(library))
    return failure();
  // Hosts check modules of WebAssembly themselves, and take no bytes behind
  // them.
  if (!options.target.getTriple().isWasm() &&
      failed(appendTrailer(loc, *library)))
    return failure();
  if (std::error_code error = llvm::sys::fs::rename(*library, path))
    return emitWriteError(loc, path, error.message());
  return success();
}

/// Links all but the runtime into one object file, one of `files`.
static FailureOr<std::string>
linkRelocatable(Location loc, ArrayRef<ObjectFile> objects,
                const LibraryData &data, const LibraryOptions &options,
                StringRef path, TemporaryFiles &files) {
  auto linker = findLinker(loc, options.target);
  if (failed(linker))
    return failure();
  std::vector<std::string> arguments = {"-r"};
  if (linker->isCompiler)
    arguments.push_back("-nostdlib");
  return link(loc, objects, data, options, path, *linker, arguments, files);
}

LogicalResult mlir::nnet3::linkObject(Location loc,
                                      ArrayRef<ObjectFile> objects,
                                      const LibraryData &data,
                                      const LibraryOptions &options,
                                      StringRef path) {
  TemporaryFiles files;
  auto linked = linkRelocatable(loc, objects, data, options, path, files);
  if (failed(linked))
    return failure();
  if (std::error_code error = llvm::sys::fs::rename(*linked, path))
    return emitWriteError(loc, path, error.message());
  return success();
}

LogicalResult mlir::nnet3::archiveLibrary(Location loc,
                                          ArrayRef<ObjectFile> objects,
                                          const LibraryData &data,
                                          const LibraryOptions &options,
                                          StringRef path) {
  TemporaryFiles files;
  auto linked = linkRelocatable(loc, objects, data, options, path, files);
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
