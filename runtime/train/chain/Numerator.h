//===- Numerator.h - Sums over the paths of a supervision -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_TRAIN_CHAIN_NUMERATOR_H
#define NNET3_RUNTIME_TRAIN_CHAIN_NUMERATOR_H

#include "nnet3/runtime/ChainObjective.h"

namespace nnet3 {
namespace rt {

/// The logarithm of the probability of all paths of \p supervision. Adds the
/// posterior of each pdf in each row, times the weight of the supervision, to
/// \p posteriors, unless that logarithm is not finite. Errors: graphs that are
/// not as the supervision says. (spec: chain.md 5)
Result<double> addNumerator(const ChainSupervision &supervision,
                            int32_t numThreads, ConstMatrixView output,
                            MatrixView posteriors);

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_TRAIN_CHAIN_NUMERATOR_H
