//===- Posterior.h - Weighted classes of frames -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_KALDI_EXAMPLES_POSTERIOR_H
#define NNET3_KALDI_EXAMPLES_POSTERIOR_H

#include "llvm/Support/LogicalResult.h"
#include <cstdint>
#include <utility>
#include <vector>

namespace nnet3::kaldi {

class KaldiReader;
class KaldiWriter;

/// The classes of each frame with their weights (spec: formats.md 7).
using Posterior = std::vector<std::vector<std::pair<int32_t, float>>>;

/// Reads a posterior; the text form extends to the end of the line.
llvm::LogicalResult readPosterior(KaldiReader &reader, Posterior &posterior);

void writePosterior(KaldiWriter &writer, const Posterior &posterior);

} // namespace nnet3::kaldi

#endif // NNET3_KALDI_EXAMPLES_POSTERIOR_H
