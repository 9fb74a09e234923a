//===- ReadObject.h - Files with one object ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_KALDI_IO_READOBJECT_H
#define NNET3_KALDI_IO_READOBJECT_H

#include "nnet3/Kaldi/IO/Input.h"
#include "nnet3/Kaldi/IO/Reader.h"

namespace nnet3::kaldi {

/// Reads the object in the file or pipe `path`, binary or text, with `read`.
template <typename T>
llvm::Expected<T> readObject(llvm::StringRef path,
                             llvm::LogicalResult (*read)(KaldiReader &, T &)) {
  auto buffer = readInput(path);
  if (!buffer)
    return buffer.takeError();
  KaldiReader reader((*buffer)->getBuffer(), (*buffer)->getBufferIdentifier());
  T object;
  if (succeeded(reader.readHeader()))
    (void)read(reader, object);
  if (llvm::Error error = reader.takeError())
    return error;
  return object;
}

} // namespace nnet3::kaldi

#endif // NNET3_KALDI_IO_READOBJECT_H
