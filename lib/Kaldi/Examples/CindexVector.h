//===- CindexVector.h - (node, row) pairs in files --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_KALDI_EXAMPLES_CINDEXVECTOR_H
#define NNET3_KALDI_EXAMPLES_CINDEXVECTOR_H

#include "IO/RecordIo.h"

namespace nnet3::kaldi {

/// Reads or writes pairs of a node and one of its rows (spec: formats.md 8.2).
void transferCindexes(RecordIo &io,
                      std::vector<std::pair<int32_t, RowIndex>> &cindexes);

} // namespace nnet3::kaldi

#endif // NNET3_KALDI_EXAMPLES_CINDEXVECTOR_H
