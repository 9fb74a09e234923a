//===- SpelledOut.h - Rows with all three numbers ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_KALDI_IO_SPELLEDOUT_H
#define NNET3_KALDI_IO_SPELLEDOUT_H

#include "nnet3/Kaldi/Examples/RowIndex.h"
#include "nnet3/Kaldi/IO/Reader.h"
#include "nnet3/Kaldi/IO/Writer.h"

namespace nnet3::kaldi {

/// Reads n, t and x as separate numbers (spec: formats.md 8.1).
inline llvm::LogicalResult readSpelledOut(KaldiReader &reader,
                                          RowIndex &index) {
  return llvm::success(succeeded(reader.readInt32(index.n)) &&
                       succeeded(reader.readInt32(index.t)) &&
                       succeeded(reader.readInt32(index.x)));
}

inline void writeSpelledOut(KaldiWriter &writer, const RowIndex &index) {
  writer.writeInt32(index.n);
  writer.writeInt32(index.t);
  writer.writeInt32(index.x);
}

} // namespace nnet3::kaldi

#endif // NNET3_KALDI_IO_SPELLEDOUT_H
