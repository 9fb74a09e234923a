//===- PrecomputedIndexes.h - Precomputed indexes of components -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_KALDI_EXAMPLES_PRECOMPUTEDINDEXES_H
#define NNET3_KALDI_EXAMPLES_PRECOMPUTEDINDEXES_H

#include "IO/RecordIo.h"
#include "nnet3/Kaldi/Examples/ComputationFile.h"

namespace nnet3::kaldi {

/// Reads or writes the precomputed indexes of a component (spec: formats.md
/// 9.2).
void transferPrecomputed(RecordIo &io, KaldiPrecomputedIndexes &indexes);

} // namespace nnet3::kaldi

#endif // NNET3_KALDI_EXAMPLES_PRECOMPUTEDINDEXES_H
