//===- SelectRows.h - Selecting parts of examples ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef LIB_TOOLS_EXAMPLES_SELECTROWS_H
#define LIB_TOOLS_EXAMPLES_SELECTROWS_H

#include "nnet3/Kaldi/Examples/ChainExamples.h"

#include "llvm/Support/Error.h"

namespace mlir::nnet3 {

/// A range of frames, both ends included.
struct FrameRange {
  int32_t first = 0, last = -1;
};

/// Returns the range of times of the outputs (names that begin with `output`).
/// Fails if there are none, or if the example is a minibatch.
llvm::Expected<FrameRange>
getOutputTimes(const ::nnet3::kaldi::AnyExample &example);

/// Keeps only the output rows at time `t` of a plain example.
llvm::Error selectFrame(::nnet3::kaldi::NnetExample &example, int32_t t);

/// Removes rows of the inputs other than i-vectors, except from `leftContext`
/// frames before the first output frame to `rightContext` frames after the
/// last; -1 keeps all. Returns true if all those rows exist.
llvm::Expected<bool> trimContext(::nnet3::kaldi::AnyExample &example,
                                 int32_t leftContext, int32_t rightContext);

/// Adds `shift` to all times except those of i-vectors. For outputs of chain
/// examples, `shift` is rounded to a multiple of their subsampling factor.
llvm::Error shiftFrames(::nnet3::kaldi::AnyExample &example, int32_t shift);

} // namespace mlir::nnet3

#endif // LIB_TOOLS_EXAMPLES_SELECTROWS_H
