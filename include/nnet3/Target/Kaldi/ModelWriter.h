//===- ModelWriter.h - Trained models, written ------------------*- C++ -*-===//
#ifndef NNET3_TARGET_KALDI_MODELWRITER_H
#define NNET3_TARGET_KALDI_MODELWRITER_H

#include "mlir/IR/BuiltinOps.h"
#include "nnet3/Dialect/Nnet3/IR/NetworkOps.h"

namespace nnet3 {

/// Writes a raw model (spec: formats.md 4): in binary byte for byte what Kaldi
/// writes, in text with 9 digits, which read back to the same float32. Priors
/// are not part of a raw model. Emits an error, before anything is written, if
/// a component has no parameters yet.
llvm::LogicalResult writeModel(mlir::nnet3::NetworkOp network,
                               llvm::raw_ostream &os, bool binary);

/// The one network of `module`, or an error and null.
mlir::nnet3::NetworkOp getOnlyNetwork(mlir::ModuleOp module);

} // namespace nnet3

#endif // NNET3_TARGET_KALDI_MODELWRITER_H
