//===- LoadModel.h - Loading of models of any format ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_TARGET_KALDI_LOADMODEL_H
#define NNET3_TARGET_KALDI_LOADMODEL_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/MemoryBuffer.h"

namespace mlir::nnet3 {

/// The format of a model file.
enum class ModelFormat {
  Kaldi,   ///< a raw model or an acoustic model, text or binary
  Config,  ///< a config: no parameters
  Xconfig, ///< an xconfig: layers, no parameters
  Mlir,    ///< MLIR, text or bytecode
  Unknown, ///< none of these
};

/// Recognises the format of a model file by its content.
ModelFormat recogniseModel(llvm::StringRef data);

/// Returns the model file in the folder `path`: `am/final.mdl` as in models of
/// Vosk, or `final.mdl` as in Kaldi's recipes. Returns any other `path`
/// unchanged.
std::string findModelFile(llvm::StringRef path);

/// Whether a file with this beginning is neither MLIR bytecode nor text.
bool isNeitherTextNorBytecode(llvm::StringRef beginning);

/// Returns an error at the first bracket of MLIR text that is nested so deeply
/// that MLIR's recursive parser would overflow the stack.
llvm::Error checkNesting(llvm::StringRef text, llvm::StringRef name);

/// Reads a file of text or MLIR bytecode into memory. Returns an error if it is
/// neither, after reading only its beginning. Checks the nesting of text.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
readTextOrBytecode(llvm::StringRef rxfilename);

/// Appends a zero byte to text, which MLIR's parser requires, if the buffer,
/// such as a mapped file, has none.
std::unique_ptr<llvm::MemoryBuffer>
terminateText(std::unique_ptr<llvm::MemoryBuffer> buffer);

/// Loads a model from `rxfilename` (a path, `-` for standard input, or
/// `command |`): a raw or acoustic model, text or binary; a config or an
/// xconfig, whose parameters are then drawn with `initSeed`; or MLIR, text or
/// bytecode. The format is recognised by content. Returns a verified module, or
/// emits an error and returns null. Loads the necessary dialects into
/// `context`.
OwningOpRef<ModuleOp> loadModel(llvm::StringRef rxfilename,
                                MLIRContext *context, uint64_t initSeed = 0);

/// Parses MLIR, text or bytecode. The module's resources may point into
/// `buffer`, which `context` then owns.
OwningOpRef<ModuleOp>
parseMlirModule(std::unique_ptr<llvm::MemoryBuffer> buffer,
                MLIRContext *context);

/// Writes `module` as text or as bytecode.
llvm::LogicalResult writeMlirModule(ModuleOp module, llvm::raw_ostream &os,
                                    bool bytecode);

} // namespace mlir::nnet3

#endif // NNET3_TARGET_KALDI_LOADMODEL_H
