//===- ComponentWriter.h - Writing components of models ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_LIB_TARGET_KALDI_MODEL_COMPONENTWRITER_H
#define NNET3_LIB_TARGET_KALDI_MODEL_COMPONENTWRITER_H

#include "ComponentFormat.h"
#include "nnet3/Kaldi/IO/Writer.h"

namespace mlir::nnet3 {

/// Checks that the component `op` can be written: its type has a table, its
/// parameters have values, and its numbers fit the file's types. Emits errors.
llvm::LogicalResult checkWritable(Operation *op);

/// Writes `op`, which `checkWritable` has accepted, from its opening to its
/// closing token.
void writeComponent(Operation *op, ::nnet3::kaldi::KaldiWriter &writer);

} // namespace mlir::nnet3

#endif // NNET3_LIB_TARGET_KALDI_MODEL_COMPONENTWRITER_H
