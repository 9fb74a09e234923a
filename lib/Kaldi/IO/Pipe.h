//===- Pipe.h - A command at the other end of a pipe ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_KALDI_IO_PIPE_H
#define NNET3_KALDI_IO_PIPE_H

#include "llvm/Support/Error.h"
#include <cstdio>
#include <string>
#include <utility>

namespace nnet3::kaldi {

/// A shell command whose output is read or whose input is written.
class Pipe {
public:
  /// Starts `command` with `/bin/sh`. `mode` is "r" or "w" as for popen; `name`
  /// appears in messages.
  static llvm::Expected<Pipe> open(llvm::StringRef command, const char *mode,
                                   llvm::StringRef name);

  Pipe(Pipe &&other)
      : stream(std::exchange(other.stream, nullptr)),
        name(std::move(other.name)) {}
  Pipe &operator=(Pipe &&) = delete;
  ~Pipe();

  /// Returns the file descriptor of this end.
  int getDescriptor() const { return fileno(stream); }

  /// Waits for the command; returns an error if it failed.
  llvm::Error close();

private:
  Pipe(FILE *stream, std::string name)
      : stream(stream), name(std::move(name)) {}

  FILE *stream;
  std::string name;
};

} // namespace nnet3::kaldi

#endif // NNET3_KALDI_IO_PIPE_H
