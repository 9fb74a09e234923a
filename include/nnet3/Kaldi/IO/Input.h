//===- Input.h - Files, pipes and standard input to read --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kaldi's form of the name of a file to read, an "rxfilename": a path,
// `path:offset`, `-` or nothing for standard input, or `command |` (spec:
// formats.md 7).
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

/// Whether a name may be a command to run. Names from the user may; names from
/// a file must not, unless the user allows it.
enum class PipePolicy { Allow, Refuse };

/// Opens `rxfilename` for reading from front to back.
llvm::Expected<std::unique_ptr<ByteSource>>
openInput(llvm::StringRef rxfilename, PipePolicy pipes = PipePolicy::Allow);

/// Returns true if an input with this beginning cannot be of the expected kind,
/// whatever follows.
using RejectFn = llvm::function_ref<bool(llvm::StringRef beginning)>;

/// Reads all of `rxfilename` into memory; a plain file is mapped, not copied.
/// The buffer's identifier is the name for messages.
///
/// Other inputs, such as devices, may be endless: if `reject` returns true for
/// their beginning, up to the first megabyte, only this part is read, and the
/// user of the buffer reports the error.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
readInput(llvm::StringRef rxfilename, RejectFn reject = nullptr,
          PipePolicy pipes = PipePolicy::Allow);

/// Whether `text` has a zero byte, and is thus not text; a RejectFn.
bool hasZeroByte(llvm::StringRef text);

/// Returns an error about the file `name` if `text` has a zero byte.
llvm::Error checkIsText(llvm::StringRef text, llvm::StringRef name);

/// Releases the memory of `part` of `buffer`, if it is a mapped file; the part
/// is loaded again when it is read. Only whole pages are released.
void releasePart(const llvm::MemoryBuffer &buffer, llvm::StringRef part);

/// Reads a file with one matrix or one vector: text, binary, double or
/// compressed, recognised by its content.
llvm::Expected<Matrix> readMatrixFile(llvm::StringRef rxfilename);
llvm::Expected<std::vector<float>> readVectorFile(llvm::StringRef rxfilename);

} // namespace nnet3::kaldi

#endif // NNET3_KALDI_IO_INPUT_H
