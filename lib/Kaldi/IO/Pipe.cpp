//===- Pipe.cpp - A command at the other end of a pipe --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Pipe.h"
#include "nnet3/Kaldi/IO/KaldiError.h"
#include "llvm/Support/Errno.h"
#include <csignal>
#include <sys/wait.h>

using namespace nnet3::kaldi;

/// Calls popen with the default SIGPIPE handler for the command. After opening
/// a pipe for writing, this process ignores SIGPIPE: if the command ends early,
/// the write fails instead of killing the process.
static FILE *start(const std::string &command, const char *mode) {
  auto previous = std::signal(SIGPIPE, SIG_DFL);
  FILE *stream = popen(command.c_str(), mode);
  std::signal(SIGPIPE, stream && *mode == 'w' ? SIG_IGN : previous);
  return stream;
}

llvm::Expected<Pipe> Pipe::open(llvm::StringRef command, const char *mode,
                                llvm::StringRef name) {
  command = command.trim();
  if (command.empty())
    return makeFileError(name, "expects a command before or after '|'");
  FILE *stream = start(command.str(), mode);
  if (!stream)
    return makeFileError(name,
                         "cannot start the command: " + llvm::sys::StrError());
  return Pipe(stream, name.str());
}

Pipe::~Pipe() {
  if (stream)
    pclose(stream);
}

llvm::Error Pipe::close() {
  if (!stream)
    return llvm::Error::success();
  int status = pclose(std::exchange(stream, nullptr));
  if (status == 0)
    return llvm::Error::success();
  if (status < 0)
    return makeFileError(name, "cannot wait for the command: " +
                                   llvm::sys::StrError());
  if (WIFEXITED(status))
    return makeFileError(name, "the command failed with exit status " +
                                   llvm::Twine(WEXITSTATUS(status)));
  return makeFileError(name, "the command was ended by signal " +
                                 llvm::Twine(WTERMSIG(status)));
}
