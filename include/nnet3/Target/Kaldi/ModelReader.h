//===- ModelReader.h - Trained models, read ---------------------*- C++ -*-===//
#ifndef NNET3_TARGET_KALDI_MODELREADER_H
#define NNET3_TARGET_KALDI_MODELREADER_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace nnet3 {

/// Reads a raw model or an acoustic model (`.mdl`), text or binary, recognised
/// by content (spec: formats.md 4 and 6), into a verified module with one
/// `nnet3.network`. Of an acoustic model the transition model is skipped and
/// the priors, if any, become the network's. Parameters are float32 whatever
/// the file has; each is copied once, into a resource.
///
/// `data` is needed only during the call; `name` is what errors and locations
/// call the file. Null after emitting the error.
mlir::OwningOpRef<mlir::ModuleOp> readModel(llvm::StringRef data,
                                            llvm::StringRef name,
                                            mlir::MLIRContext *context);

/// Whether `data` begins as a model does: with the mark of a binary file,
/// `<Nnet3>` or `<TransitionModel>`.
bool looksLikeModel(llvm::StringRef data);

} // namespace nnet3

#endif // NNET3_TARGET_KALDI_MODELREADER_H
