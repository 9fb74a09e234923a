//===- ModelReader.h - Trained models, read ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_TARGET_KALDI_MODELREADER_H
#define NNET3_TARGET_KALDI_MODELREADER_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/MemoryBuffer.h"

namespace mlir::nnet3 {

/// Reads a raw model or an acoustic model (`.mdl`), text or binary, recognised
/// by content (spec: formats.md 4 and 6), into a verified module with one
/// `nnet3.network`. The priors of an acoustic model, if any, become the
/// network's, and its transition model an attribute that nothing but the writer
/// of acoustic models looks at. Parameters are float32 whatever
/// the file has; each is copied once, into a resource.
///
/// `data` is needed only during the call; `name` is what errors and locations
/// call the file. Null after emitting the error.
OwningOpRef<ModuleOp> readModel(llvm::StringRef data, llvm::StringRef name,
                                MLIRContext *context);

/// The same for a file in memory. Where it is mapped, what has been read is let
/// go of meanwhile, so that the whole of it is never in memory beside the
/// parameters.
OwningOpRef<ModuleOp> readModel(const llvm::MemoryBuffer &file,
                                MLIRContext *context);

/// Whether `data` begins as a model does: with the mark of a binary file,
/// `<Nnet3>` or `<TransitionModel>`.
bool looksLikeModel(llvm::StringRef data);

/// Whether no model can have this beginning, whatever follows.
bool cannotBeginModel(llvm::StringRef beginning);

} // namespace mlir::nnet3

#endif // NNET3_TARGET_KALDI_MODELREADER_H
