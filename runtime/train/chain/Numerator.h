//===- Numerator.h - Forward-backward of the numerator ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_TRAIN_CHAIN_NUMERATOR_H
#define NNET3_RUNTIME_TRAIN_CHAIN_NUMERATOR_H

#include "nnet3/runtime/ChainObjective.h"

namespace nnet3 {
namespace rt {

/// Returns the log-probability of the paths of \p supervision. If it is finite,
/// adds the posterior of each pdf in each row, times the weight of the
/// supervision, to \p posteriors. Errors: graphs that do not match the
/// supervision (spec: chain.md 5).
Result<double> addNumerator(const ChainSupervision &supervision,
                            int32_t numThreads, ConstMatrixView output,
                            MatrixView posteriors);

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_TRAIN_CHAIN_NUMERATOR_H
