//===- LinkerRun.cpp - Files and messages of a linker ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LinkerRun.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Signals.h"

#include <sys/mman.h>
#include <unistd.h>

using namespace mlir;
using namespace mlir::nnet3;

TemporaryFiles::~TemporaryFiles() {
  for (const std::string &path : paths) {
    llvm::sys::fs::remove(path);
    llvm::sys::DontRemoveFileOnSignal(path);
  }
}

std::string TemporaryFiles::create(StringRef path, StringRef suffix,
                                   ArrayRef<char> bytes) {
  return write(path, suffix, [&](llvm::raw_pwrite_stream &os) {
    os.write(bytes.data(), bytes.size());
  });
}

std::string TemporaryFiles::write(
    StringRef path, StringRef suffix,
    llvm::function_ref<void(llvm::raw_pwrite_stream &)> body) {
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
  body(os);
  os.close();
  error = os.error();
  os.clear_error();
  return paths.back();
}

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

LogicalResult mlir::nnet3::runLinker(Location loc, StringRef program,
                                     ArrayRef<StringRef> arguments) {
  LinkerMessages messages;
  const std::string name = messages.getName();
  std::optional<StringRef> redirects[] = {StringRef(""), name, name};
  std::string error;
  int status = llvm::sys::ExecuteAndWait(program, arguments, std::nullopt,
                                         redirects, 0, 0, &error);
  if (status == 0)
    return success();
  if (error.empty())
    error = llvm::formatv("{0} ends with status {1}", program, status);
  InFlightDiagnostic diagnostic = emitError(loc)
                                  << "cannot link the library: " << error;
  const std::string said = messages.getText();
  if (!said.empty())
    for (StringRef line : llvm::split(said, '\n'))
      diagnostic.attachNote() << line;
  return diagnostic;
}
