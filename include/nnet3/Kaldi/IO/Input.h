//===- Input.h - Files, pipes and standard input to read --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What Kaldi's programs take as a file to read, an "rxfilename": a path,
// `path:offset`, `-` or nothing for standard input, or `command |`
// (spec: formats.md 7).
//
//===----------------------------------------------------------------------===//
#ifndef NNET3_KALDI_IO_INPUT_H
#define NNET3_KALDI_IO_INPUT_H

#include "nnet3/Kaldi/IO/ByteSource.h"
#include "nnet3/Kaldi/Matrix/Matrix.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>

namespace nnet3::kaldi {

/// Whether a command may run. A name given by the user may; one that a file
/// contains must not, unless the user says so.
enum class PipePolicy { Allow, Refuse };

/// Opens `rxfilename` for reading from front to back.
llvm::Expected<std::unique_ptr<ByteSource>>
openInput(llvm::StringRef rxfilename, PipePolicy pipes = PipePolicy::Allow);

/// Tells from what has been read of an input that it cannot be what is
/// expected, whatever follows.
using RejectFn = llvm::function_ref<bool(llvm::StringRef beginning)>;

/// Takes `rxfilename` into memory whole; a plain file is mapped, not copied.
/// The buffer's identifier is the name for messages.
///
/// Something else, such as a device, may have no end: where `reject` turns down
/// its beginning, up to the first megabyte, no more of it is read. The reader
/// of the buffer then says what is wrong.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
readInput(llvm::StringRef rxfilename, RejectFn reject = nullptr,
          PipePolicy pipes = PipePolicy::Allow);

/// Rejects what is no text.
bool hasZeroByte(llvm::StringRef text);

/// The error of a file `name` that is expected to be text if it has a zero
/// byte.
llvm::Error checkIsText(llvm::StringRef text, llvm::StringRef name);

/// Lets go of the memory that holds `part` of `buffer`, where that is a mapped
/// file; whoever reads it again makes it come back. Only whole pages can go.
void releasePart(const llvm::MemoryBuffer &buffer, llvm::StringRef part);

/// Reads a file that holds one matrix or one vector: text, binary, double or
/// compressed, recognised by its content.
llvm::Expected<Matrix> readMatrixFile(llvm::StringRef rxfilename);
llvm::Expected<std::vector<float>> readVectorFile(llvm::StringRef rxfilename);

} // namespace nnet3::kaldi

#endif // NNET3_KALDI_IO_INPUT_H
