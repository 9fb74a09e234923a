//===- NetworkLibrary.cpp - Compiling a model, with a cache ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "NetworkLibrary.h"
#include "nnet3/Kaldi/IO/KaldiError.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/SHA256.h"
#include "llvm/TargetParser/Host.h"

using namespace ::nnet3::kaldi;
using namespace mlir::nnet3;
using llvm::Expected;
using llvm::SmallString;
using llvm::StringRef;
using llvm::Twine;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

/// Finds a program next to this one, or in PATH.
static Expected<std::string> findProgram(StringRef name) {
  // getMainExecutable needs the address of a function of the program.
  const std::string self =
      fs::getMainExecutable(nullptr, reinterpret_cast<void *>(&findProgram));
  auto found = llvm::sys::findProgramByName(name, {path::parent_path(self)});
  if (!found)
    found = llvm::sys::findProgramByName(name);
  if (found)
    return *found;
  return makeFileError("", "expects " + name +
                               " beside this program, to compile the model; or "
                               "option '--library'");
}

/// Returns the arguments of nnet3-compile except output and model.
static std::vector<std::string> getArguments(const RecognizeOptions &options) {
  std::string list;
  for (int64_t length : options.getChunkLengths())
    list += (list.empty() ? "" : ",") + std::to_string(length);
  return {"--streaming", "--chunk=" + list,
          "--frame-subsampling-factor=" +
              std::to_string(options.frameSubsamplingFactor),
          "--precision=" + options.precision, "--prefix=model"};
}

/// Returns a hash of everything that the library depends on: the model, the
/// options, the compiler and the CPU.
static Expected<std::string> makeKey(StringRef model, StringRef compiler,
                                     llvm::ArrayRef<std::string> arguments) {
  auto buffer = llvm::MemoryBuffer::getFile(model, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer)
    return makeFileError(model, buffer.getError().message());
  fs::file_status status;
  if (std::error_code error = fs::status(compiler, status))
    return makeFileError(compiler, error.message());
  llvm::SHA256 hash;
  hash.update((*buffer)->getBuffer());
  hash.update(llvm::join(arguments, "\n"));
  std::vector<std::string> cpu = {llvm::sys::getHostCPUName().str()};
  for (const auto &feature : llvm::sys::getHostCPUFeatures())
    if (feature.second)
      cpu.push_back(feature.first().str());
  llvm::sort(cpu);
  hash.update(llvm::join(cpu, ","));
  hash.update(std::to_string(status.getSize()) + " " +
              std::to_string(
                  status.getLastModificationTime().time_since_epoch().count()));
  return llvm::toHex(hash.final(), /*LowerCase=*/true).substr(0, 32);
}

static Expected<std::string> findCache(const RecognizeOptions &options) {
  SmallString<256> folder(options.cache);
  if (folder.empty()) {
    if (!path::cache_directory(folder))
      return makeFileError("", "expects option '--cache', as there is no "
                               "folder for caches");
    path::append(folder, "nnet3");
  }
  if (std::error_code error = fs::create_directories(folder))
    return makeFileError(folder, error.message());
  return folder.str().str();
}

/// Compiles `model` to `library` in a temporary folder, and then renames it:
/// the library appears complete, even if other processes compile it as well.
static llvm::Error compile(StringRef compiler,
                           std::vector<std::string> arguments, StringRef model,
                           StringRef library) {
  SmallString<256> folder;
  fs::createUniquePath(library + "-%%%%%%%%.part", folder,
                       /*MakeAbsolute=*/false);
  if (std::error_code error = fs::create_directory(folder))
    return makeFileError(folder, error.message());
  SmallString<256> output(folder);
  path::append(output, "model");
  arguments.insert(arguments.begin(), compiler.str());
  arguments.push_back("-o");
  arguments.push_back(output.str().str());
  arguments.push_back(model.str());
  std::vector<StringRef> views(arguments.begin(), arguments.end());
  std::string message;
  const int status = llvm::sys::ExecuteAndWait(compiler, views, std::nullopt,
                                               {}, 0, 0, &message);
  SmallString<256> made(folder);
  path::append(made, "libmodel.so");
  std::error_code error;
  if (status == 0)
    error = fs::rename(made, library);
  fs::remove_directories(folder);
  if (status != 0)
    return makeFileError(model, "cannot be compiled" +
                                    Twine(message.empty() ? "" : ": ") +
                                    message);
  return error ? makeFileError(library, error.message())
               : llvm::Error::success();
}

Expected<std::string>
mlir::nnet3::findNetworkLibrary(StringRef model,
                                const RecognizeOptions &options) {
  if (!options.library.empty())
    return options.library;
  auto compiler = findProgram("nnet3-compile");
  if (!compiler)
    return compiler.takeError();
  const std::vector<std::string> arguments = getArguments(options);
  auto key = makeKey(model, *compiler, arguments);
  if (!key)
    return key.takeError();
  auto folder = findCache(options);
  if (!folder)
    return folder.takeError();
  SmallString<256> library(*folder);
  path::append(library, "libmodel-" + *key + ".so");
  if (fs::exists(library))
    return library.str().str();
  printLog("nnet3-recognize", "Compiling " + model + " for this machine, once");
  if (llvm::Error error = compile(*compiler, arguments, model, library))
    return std::move(error);
  return library.str().str();
}
