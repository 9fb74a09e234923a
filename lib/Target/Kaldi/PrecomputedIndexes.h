//===- PrecomputedIndexes.h - What components have prepared -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_LIB_TARGET_KALDI_PRECOMPUTEDINDEXES_H
#define NNET3_LIB_TARGET_KALDI_PRECOMPUTEDINDEXES_H

#include "RecordIo.h"
#include "nnet3/Target/Kaldi/ComputationFile.h"

namespace nnet3 {

/// What a component has prepared, and for which rows (spec: formats.md 9.2).
void transferPrecomputed(RecordIo &io, KaldiPrecomputedIndexes &indexes);

} // namespace nnet3

#endif // NNET3_LIB_TARGET_KALDI_PRECOMPUTEDINDEXES_H
