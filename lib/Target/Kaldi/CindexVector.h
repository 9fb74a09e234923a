//===- CindexVector.h - Nodes and their rows in files -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_LIB_TARGET_KALDI_CINDEXVECTOR_H
#define NNET3_LIB_TARGET_KALDI_CINDEXVECTOR_H

#include "RecordIo.h"

namespace nnet3 {

/// Nodes and rows of them (spec: formats.md 8.2).
void transferCindexes(RecordIo &io,
                      std::vector<std::pair<int32_t, RowIndex>> &cindexes);

} // namespace nnet3

#endif // NNET3_LIB_TARGET_KALDI_CINDEXVECTOR_H
