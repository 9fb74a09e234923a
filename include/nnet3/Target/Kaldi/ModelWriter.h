//===- ModelWriter.h - Writer of trained models -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_TARGET_KALDI_MODELWRITER_H
#define NNET3_TARGET_KALDI_MODELWRITER_H

#include "mlir/IR/BuiltinOps.h"
#include "nnet3/Dialect/Nnet3/IR/NetworkOps.h"

namespace mlir::nnet3 {

/// Writes a raw model (spec: formats.md 4): in binary the same bytes as Kaldi,
/// in text with `digits` significant digits (Kaldi: 7); 9 digits read back to
/// the same float32. Priors are not part of a raw model. Emits an error, before
/// writing, if a component has no parameters yet.
llvm::LogicalResult writeModel(NetworkOp network, llvm::raw_ostream &os,
                               bool binary, unsigned digits = 9);

/// Writes an acoustic model (spec: formats.md 6): the transition model of the
/// network, with the same bytes as in the file that was read if the mode is the
/// same, the network, its contexts in frames, and its priors. Emits an error,
/// before writing, if the network has no transition model.
llvm::LogicalResult writeAcousticModel(NetworkOp network, int64_t leftContext,
                                       int64_t rightContext,
                                       llvm::raw_ostream &os, bool binary,
                                       unsigned digits = 9);

/// Returns the only network of `module`; otherwise emits an error and returns
/// null.
NetworkOp getOnlyNetwork(ModuleOp module);

} // namespace mlir::nnet3

#endif // NNET3_TARGET_KALDI_MODELWRITER_H
