//===- CindexVector.h - Nodes and their rows in files -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_KALDI_EXAMPLES_CINDEXVECTOR_H
#define NNET3_KALDI_EXAMPLES_CINDEXVECTOR_H

#include "IO/RecordIo.h"

namespace nnet3::kaldi {

/// Nodes and rows of them (spec: formats.md 8.2).
void transferCindexes(RecordIo &io,
                      std::vector<std::pair<int32_t, RowIndex>> &cindexes);

} // namespace nnet3::kaldi

#endif // NNET3_KALDI_EXAMPLES_CINDEXVECTOR_H
