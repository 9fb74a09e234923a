//===- ByteSource.h - A stream of bytes to read -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_KALDI_IO_BYTESOURCE_H
#define NNET3_KALDI_IO_BYTESOURCE_H

#include "llvm/Support/Error.h"
#include <cstdint>
#include <optional>
#include <string>

namespace nnet3::kaldi {

/// A file, pipe or standard input, read once from front to back.
class ByteSource {
public:
  explicit ByteSource(std::string name, uint64_t offset = 0)
      : name(std::move(name)), offset(offset) {}
  virtual ~ByteSource() = default;

  /// Reads up to `size` bytes into `data`. Returns their number, which is 0
  /// only at the end.
  virtual llvm::Expected<size_t> read(char *data, size_t size) = 0;

  /// Number of bytes that are left to read, if it is known (not for pipes).
  virtual std::optional<uint64_t> bytesLeft() const { return std::nullopt; }

  /// Ends reading; returns an error if the command of a pipe failed.
  virtual llvm::Error close() { return llvm::Error::success(); }

  /// The name for messages.
  llvm::StringRef getName() const { return name; }

  /// Offset in the file of the first byte of this source.
  uint64_t getOffset() const { return offset; }

private:
  std::string name;
  uint64_t offset;
};

} // namespace nnet3::kaldi

#endif // NNET3_KALDI_IO_BYTESOURCE_H
