//===- OpenFstHeader.h - The header of OpenFst's files ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_KALDI_EXAMPLES_OPENFSTHEADER_H
#define NNET3_KALDI_EXAMPLES_OPENFSTHEADER_H

#include "nnet3/Kaldi/Examples/CompactFst.h"
#include "nnet3/Kaldi/IO/Reader.h"
#include "llvm/Support/Endian.h"

namespace nnet3::kaldi::openfst {

constexpr int32_t kMagic = 2125659606;
constexpr llvm::StringRef kArcType = "standard";
/// The version of unaligned files.
constexpr int32_t kVersion = 2;

template <typename T> T load(const char *from) {
  return llvm::support::endian::read<T, llvm::endianness::little>(from);
}

/// Reads a number without Kaldi's size byte.
template <typename T>
llvm::LogicalResult readPlain(KaldiReader &reader, T &value) {
  llvm::StringRef bytes;
  if (failed(reader.readBytes(sizeof(T), bytes)))
    return llvm::failure();
  value = load<T>(bytes.data());
  return llvm::success();
}

/// Reads the header of a file of type `fstType`; `numStates` is -1 if the file
/// does not tell it.
llvm::LogicalResult readHeader(KaldiReader &reader, llvm::StringRef fstType,
                               CompactFst &fst, int64_t &numStates);

} // namespace nnet3::kaldi::openfst

#endif // NNET3_KALDI_EXAMPLES_OPENFSTHEADER_H
