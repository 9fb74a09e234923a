//===- ModelFiles.h - Reading and writing of models -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_TOOLS_COMMON_MODELFILES_H
#define NNET3_TOOLS_COMMON_MODELFILES_H

#include "nnet3/Target/Kaldi/Config.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/Error.h"

namespace mlir::nnet3 {

/// Returns the error of a program that expects `expected` but got `count`
/// arguments.
llvm::Error expectArguments(StringRef expected, size_t count);

/// A network from a file.
struct ModelFile {
  OwningOpRef<ModuleOp> module;
  NetworkOp network;
};

/// Loads a model of any format, also from a folder. The parameters of a config
/// are drawn with `initSeed`. Emits errors.
FailureOr<ModelFile> loadModelFile(StringRef path, MLIRContext *context,
                                   uint64_t initSeed = 0);

/// Loads a model like loadModelFile(), and emits an error if it has no
/// transition model.
FailureOr<ModelFile> loadAcousticModel(StringRef path, MLIRContext *context);

/// Calls `read` with the text of the file `name`. Emits an error if the file is
/// not text.
LogicalResult
withText(MLIRContext *context, StringRef name,
         llvm::function_ref<LogicalResult(const ConfigSource &)> read);

/// Writes the network as a raw model, atomically. Emits errors.
LogicalResult writeRawFile(StringRef path, NetworkOp network, bool binary,
                           unsigned digits = 9);

/// Writes the network as an acoustic model, atomically. Its priors must have
/// the dim of its output. Emits errors.
LogicalResult writeAcousticFile(StringRef path, NetworkOp network, bool binary,
                                unsigned digits = 9);

/// Returns the number of columns of the output node `output`; emits an error if
/// there is none.
FailureOr<int64_t> getOutputDim(NetworkOp network);

} // namespace mlir::nnet3

#endif // NNET3_TOOLS_COMMON_MODELFILES_H
