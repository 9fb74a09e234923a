//===- RowIndex.h - The index of a row --------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_KALDI_EXAMPLES_ROWINDEX_H
#define NNET3_KALDI_EXAMPLES_ROWINDEX_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/LogicalResult.h"
#include <cstdint>
#include <vector>

namespace nnet3::kaldi {

class KaldiReader;
class KaldiWriter;

/// The index of a row: sequence n of the minibatch, frame t, and x, which is
/// nearly always 0. Kaldi calls it an Index.
struct RowIndex {
  int32_t n = 0;
  int32_t t = 0;
  int32_t x = 0;

  bool operator==(const RowIndex &other) const {
    return n == other.n && t == other.t && x == other.x;
  }
  bool operator!=(const RowIndex &other) const { return !(*this == other); }
};

/// Reads an index vector; the binary form has one byte for most elements (spec:
/// formats.md 8.1).
llvm::LogicalResult readIndexVector(KaldiReader &reader,
                                    std::vector<RowIndex> &indexes);

/// Writes an index vector; in binary in the most compact form.
void writeIndexVector(KaldiWriter &writer, llvm::ArrayRef<RowIndex> indexes);

} // namespace nnet3::kaldi

#endif // NNET3_KALDI_EXAMPLES_ROWINDEX_H
