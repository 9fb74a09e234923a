//===- OutputFile.cpp - Output files that are replaced atomically ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nnet3/Kaldi/IO/OutputFile.h"
#include "Pipe.h"
#include "nnet3/Kaldi/IO/KaldiError.h"
#include "nnet3/Kaldi/IO/Writer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include <optional>
#include <unistd.h>

using namespace nnet3::kaldi;
using llvm::StringRef;
namespace fs = llvm::sys::fs;

struct OutputFile::State {
  /// The name in messages.
  std::string name;
  /// The destination of `temporary`: the path after its links are followed.
  std::string path;
  std::optional<fs::TempFile> temporary;
  std::optional<Pipe> pipe;
  std::unique_ptr<llvm::raw_fd_ostream> stream;
};

OutputFile::OutputFile(std::unique_ptr<State> state)
    : state(std::move(state)) {}

OutputFile::~OutputFile() {
  if (!state->stream)
    return;
  // The file was not committed, so write errors do not matter.
  state->stream->flush();
  state->stream->clear_error();
  state->stream.reset();
  if (state->temporary)
    llvm::consumeError(state->temporary->discard());
}

llvm::raw_ostream &OutputFile::getStream() { return *state->stream; }

/// Follows the links of `path`, so that renaming replaces the file and not the
/// link.
static std::string followLinks(StringRef path) {
  llvm::SmallString<256> real;
  return fs::real_path(path, real) ? path.str() : real.str().str();
}

/// Gives `descriptor` the permissions of the file at `path`, if there is one.
static std::error_code copyPermissions(StringRef path, int descriptor) {
  fs::file_status status;
  if (fs::status(path, status))
    return std::error_code();
  return fs::setPermissions(descriptor, status.permissions());
}

static bool isSpecialFile(StringRef path) {
  fs::file_status status;
  return !fs::status(path, status) && !fs::is_regular_file(status) &&
         !fs::is_directory(status);
}

/// Returns true if `name` ends in `:123`, which is an offset for reading.
static bool hasOffset(StringRef name) {
  StringRef digits = name.substr(name.rfind(':') + 1);
  return name.contains(':') && !digits.empty() &&
         llvm::all_of(digits, llvm::isDigit);
}

static llvm::Error checkName(StringRef wxfilename) {
  if (wxfilename.trim() != wxfilename)
    return makeFileError(quoteForMessage(wxfilename),
                         "expects a file name without blanks around it");
  if (wxfilename.starts_with("|"))
    return llvm::Error::success();
  if (wxfilename.ends_with("|"))
    return makeFileError(wxfilename, "expects something to write, but got a "
                                     "command to read from");
  if (hasOffset(wxfilename))
    return makeFileError(
        quoteForMessage(wxfilename),
        "expects a file to write, but got an offset in a file");
  return llvm::Error::success();
}

llvm::Expected<std::unique_ptr<OutputFile>>
OutputFile::create(StringRef wxfilename) {
  if (llvm::Error error = checkName(wxfilename))
    return error;
  auto state = std::make_unique<State>();
  state->name = wxfilename.str();
  auto cannotOpen = [&](std::error_code code) {
    return makeFileError(wxfilename, "cannot write: " + code.message());
  };
  auto useDescriptor = [&](int descriptor) {
    state->stream = std::make_unique<llvm::raw_fd_ostream>(
        descriptor, /*shouldClose=*/false);
  };

  if (wxfilename.empty() || wxfilename == "-") {
    state->name = "<stdout>";
    useDescriptor(STDOUT_FILENO);
  } else if (wxfilename.starts_with("|")) {
    llvm::Expected<Pipe> pipe =
        Pipe::open(wxfilename.drop_front(), "w", wxfilename);
    if (!pipe)
      return pipe.takeError();
    state->pipe.emplace(std::move(*pipe));
    useDescriptor(state->pipe->getDescriptor());
  } else if (isSpecialFile(wxfilename)) {
    std::error_code code;
    state->stream = std::make_unique<llvm::raw_fd_ostream>(wxfilename, code,
                                                           fs::CD_OpenExisting);
    if (code)
      return cannotOpen(code);
  } else {
    if (fs::is_directory(wxfilename))
      return cannotOpen(std::make_error_code(std::errc::is_a_directory));
    state->path = followLinks(wxfilename);
    llvm::Expected<fs::TempFile> temporary =
        fs::TempFile::create(state->path + ".tmp%%%%%%");
    if (!temporary)
      return cannotOpen(llvm::errorToErrorCode(temporary.takeError()));
    state->temporary.emplace(std::move(*temporary));
    useDescriptor(state->temporary->FD);
    if (std::error_code code =
            copyPermissions(state->path, state->temporary->FD)) {
      // The destructor removes the temporary file.
      OutputFile discarded(std::move(state));
      return cannotOpen(code);
    }
  }
  return std::unique_ptr<OutputFile>(new OutputFile(std::move(state)));
}

llvm::Error OutputFile::flush() {
  state->stream->flush();
  std::error_code code = state->stream->error();
  state->stream->clear_error();
  return code ? makeFileError(state->name, "cannot write: " + code.message())
              : llvm::Error::success();
}

llvm::Error OutputFile::commit() {
  state->stream->flush();
  std::error_code code = state->stream->error();
  state->stream->clear_error();
  state->stream.reset();
  if (state->temporary) {
    if (code)
      llvm::consumeError(state->temporary->discard());
    else
      code = llvm::errorToErrorCode(state->temporary->keep(state->path));
  }
  if (state->pipe)
    if (llvm::Error error = state->pipe->close())
      return error;
  if (code)
    return makeFileError(state->name, "cannot write: " + code.message());
  return llvm::Error::success();
}

/// Writes a file with `write`.
static llvm::Error writeOne(StringRef wxfilename, bool binary, unsigned digits,
                            llvm::function_ref<void(KaldiWriter &)> write) {
  auto file = OutputFile::create(wxfilename);
  if (!file)
    return file.takeError();
  KaldiWriter writer((*file)->getStream(), binary, digits);
  writer.writeHeader();
  write(writer);
  return (*file)->commit();
}

llvm::Error nnet3::kaldi::writeMatrixFile(StringRef wxfilename,
                                          const Matrix &matrix, bool binary,
                                          unsigned digits) {
  return writeOne(wxfilename, binary, digits,
                  [&](KaldiWriter &writer) { writer.writeMatrix(matrix); });
}
