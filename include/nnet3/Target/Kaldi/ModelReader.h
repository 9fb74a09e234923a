//===- ModelReader.h - Reader of trained models -----------------*- C++ -*-===//
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
/// `nnet3.network`. The priors of an acoustic model, if any, become those of
/// the network. Its transition model becomes an attribute, which only the
/// writer of acoustic models uses. Parameters are converted to float32; each is
/// copied once, into a resource.
///
/// `data` is needed only during the call; `name` is the name of the file for
/// errors and locations. On failure, emits an error and returns null.
OwningOpRef<ModuleOp> readModel(llvm::StringRef data, llvm::StringRef name,
                                MLIRContext *context);

/// Reads a model from a file in memory. If it is mapped, parts that have been
/// read are released, so that the whole file and the parameters are never in
/// memory at the same time.
OwningOpRef<ModuleOp> readModel(const llvm::MemoryBuffer &file,
                                MLIRContext *context);

/// Whether `data` begins like a model: with the mark of a binary file,
/// `<Nnet3>` or `<TransitionModel>`.
bool looksLikeModel(llvm::StringRef data);

/// Whether a file with this beginning cannot be a model, whatever follows.
bool cannotBeginModel(llvm::StringRef beginning);

} // namespace mlir::nnet3

#endif // NNET3_TARGET_KALDI_MODELREADER_H
