//===- LoadModel.h - A network from any kind of file ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_TARGET_KALDI_LOADMODEL_H
#define NNET3_TARGET_KALDI_LOADMODEL_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/MemoryBuffer.h"

namespace mlir::nnet3 {

/// What a model file contains.
enum class ModelFormat {
  Kaldi,   ///< a raw model or an acoustic model, text or binary
  Config,  ///< a config: no parameters
  Xconfig, ///< an xconfig: layers, no parameters
  Mlir,    ///< MLIR, text or bytecode
  Unknown, ///< none of these
};

/// Recognises a model file by its content.
ModelFormat recogniseModel(llvm::StringRef data);

/// The model that a folder is given for: `am/final.mdl` in it, where Vosk has
/// the acoustic model, or `final.mdl`, where Kaldi's recipes have it. Any other
/// `path` as it is.
std::string findModelFile(llvm::StringRef path);

/// Whether what has this beginning is no MLIR, nor anything that is text.
bool isNeitherTextNorBytecode(llvm::StringRef beginning);

/// Fails at the first bracket of MLIR text that is nested deeper than MLIR's
/// parser, which calls itself for each, has stack for.
llvm::Error checkNesting(llvm::StringRef text, llvm::StringRef name);

/// Takes a file that is text or MLIR's bytecode into memory. Fails if it is
/// neither; no more of it is read then than what shows that. Text is checked
/// for its nesting.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
readTextOrBytecode(llvm::StringRef rxfilename);

/// Puts a zero byte behind text, which MLIR's parser wants: a mapped file does
/// not always have one.
std::unique_ptr<llvm::MemoryBuffer>
terminateText(std::unique_ptr<llvm::MemoryBuffer> buffer);

/// Loads a model from `rxfilename` (a path, `-` for standard input, or
/// `command |`): a raw or acoustic model, text or binary; a config or an
/// xconfig, whose parameters are then drawn with `initSeed`; or MLIR, text or
/// bytecode. The kind is recognised by content. Returns a verified module, or
/// null after emitting the error. Loads the dialects that it needs into
/// `context`.
OwningOpRef<ModuleOp> loadModel(llvm::StringRef rxfilename,
                                MLIRContext *context, uint64_t initSeed = 0);

/// Parses MLIR, text or bytecode. The module's resources may point into
/// `buffer`, which `context` then keeps.
OwningOpRef<ModuleOp>
parseMlirModule(std::unique_ptr<llvm::MemoryBuffer> buffer,
                MLIRContext *context);

/// Writes `module` as text or as bytecode.
llvm::LogicalResult writeMlirModule(ModuleOp module, llvm::raw_ostream &os,
                                    bool bytecode);

} // namespace mlir::nnet3

#endif // NNET3_TARGET_KALDI_LOADMODEL_H
