//===- ComponentWriter.h - Components of model files, written ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_LIB_TARGET_KALDI_MODEL_COMPONENTWRITER_H
#define NNET3_LIB_TARGET_KALDI_MODEL_COMPONENTWRITER_H

#include "ComponentFormat.h"
#include "nnet3/Kaldi/IO/Writer.h"

namespace mlir::nnet3 {

/// Checks that `op`, a component, can be written: its type has a table, its
/// parameters are there, its numbers fit into the file's. Emits the error.
llvm::LogicalResult checkWritable(Operation *op);

/// Writes `op`, which `checkWritable` accepted, from its opening to its closing
/// token.
void writeComponent(Operation *op, ::nnet3::kaldi::KaldiWriter &writer);

} // namespace mlir::nnet3

#endif // NNET3_LIB_TARGET_KALDI_MODEL_COMPONENTWRITER_H
