//===- Denominator.h - Forward-backward of the denominator ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_TRAIN_CHAIN_DENOMINATOR_H
#define NNET3_RUNTIME_TRAIN_CHAIN_DENOMINATOR_H

#include "nnet3/runtime/ChainObjective.h"

namespace nnet3 {
namespace rt {

struct DenominatorSum {
  double logProbability = 0; ///< sum over all sequences
  /// Total occupation of pdfs and of states in frame 0. Both equal the number
  /// of sequences unless precision was lost.
  double pdfOccupation = 0, stateOccupation = 0;
};

/// Runs the forward-backward algorithm on \p output, clipped to +-30, and
/// subtracts the posterior of each pdf in each row, times \p weight, from
/// \p derivative (spec: chain.md 4).
DenominatorSum subtractDenominator(const DenominatorGraph &graph,
                                   int32_t numSequences, float leak,
                                   float weight, int32_t numThreads,
                                   ConstMatrixView output,
                                   MatrixView derivative);

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_TRAIN_CHAIN_DENOMINATOR_H
