//===- SelectRows.h - Parts of examples -------------------------*- C++ -*-===//
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

/// The times of the outputs (their names begin with `output`). An example that
/// has none, or is a minibatch, is an error.
llvm::Expected<FrameRange>
getOutputTimes(const ::nnet3::kaldi::AnyExample &example);

/// Keeps the rows of the outputs at time `t`, those of a plain example.
llvm::Error selectFrame(::nnet3::kaldi::NnetExample &example, int32_t t);

/// Keeps the rows of the inputs, i-vectors excepted, from `leftContext` frames
/// before the first frame of the outputs to `rightContext` behind the last; -1
/// keeps all. Returns whether there were as many.
llvm::Expected<bool> trimContext(::nnet3::kaldi::AnyExample &example,
                                 int32_t leftContext, int32_t rightContext);

/// Adds `shift` to the times of all but i-vectors; of the outputs of chain
/// examples the closest multiple of their subsampling factor.
llvm::Error shiftFrames(::nnet3::kaldi::AnyExample &example, int32_t shift);

} // namespace mlir::nnet3

#endif // LIB_TOOLS_EXAMPLES_SELECTROWS_H
