//===- ModelFiles.h - Models, read and written ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_TOOLS_MODELFILES_H
#define NNET3_TOOLS_MODELFILES_H

#include "nnet3/Target/Kaldi/Config.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/Error.h"

namespace mlir::nnet3 {

/// The error of a program that got `count` arguments.
llvm::Error expectArguments(StringRef expected, size_t count);

/// A network from a file.
struct ModelFile {
  OwningOpRef<ModuleOp> module;
  NetworkOp network;
};

/// Loads any kind of model, from a folder too; `initSeed` draws the parameters
/// of a config. Emits errors.
FailureOr<ModelFile> loadModelFile(StringRef path, MLIRContext *context,
                                   uint64_t initSeed = 0);

/// The same of a model with a transition model.
FailureOr<ModelFile> loadAcousticModel(StringRef path, MLIRContext *context);

/// Calls `read` with the text of the file `name`. Emits an error if it is none.
LogicalResult
withText(MLIRContext *context, StringRef name,
         llvm::function_ref<LogicalResult(const ConfigSource &)> read);

/// Writes the network as a raw model; the file appears whole or not at all.
/// Emits errors.
LogicalResult writeRawFile(StringRef path, NetworkOp network, bool binary,
                           unsigned digits = 9);

/// The same for an acoustic model, whose priors must fit its output.
LogicalResult writeAcousticFile(StringRef path, NetworkOp network, bool binary,
                                unsigned digits = 9);

/// The columns of the output node `output`; emits an error if there is none.
FailureOr<int64_t> getOutputDim(NetworkOp network);

} // namespace mlir::nnet3

#endif // NNET3_TOOLS_MODELFILES_H
