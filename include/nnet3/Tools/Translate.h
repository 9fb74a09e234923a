//===- Translate.h - The translations of nnet3-translate --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_TOOLS_TRANSLATE_H
#define NNET3_TOOLS_TRANSLATE_H

#include "nnet3/Dialect/Nnet3/IR/NetworkOps.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/SourceMgr.h"
#include <functional>
#include <string>
#include <vector>

namespace llvm::cl {
class OptionCategory;
} // namespace llvm::cl

namespace mlir::nnet3 {

/// What a translation works with. Errors are emitted through `context`.
struct TranslationInputs {
  MLIRContext &context;
  /// The files given, at least one; `-` is standard input.
  std::vector<std::string> files;
  /// Shows the lines that diagnostics point to; takes what is read.
  llvm::SourceMgr &sourceMgr;
  /// Whether MLIR is written as bytecode.
  bool emitBytecode = false;
  /// Whether raw models are written in binary.
  bool binary = true;
  /// File with requests to put behind the network; empty if there are none.
  std::string requestFile;
  /// Model that configs are read on top of; empty if there is none.
  std::string existingModel;
  /// Edit directives for the network whose context is written; empty if there
  /// are none.
  std::string nnetEdits;
};

/// One translation: a flag of nnet3-translate and what it does.
struct Translation {
  /// The flag, without dashes.
  std::string name;
  std::string description;
  /// Whether it takes several files.
  bool takesSeveral = false;
  /// Writes the result to the stream; what is written is dropped on failure.
  std::function<LogicalResult(TranslationInputs &, llvm::raw_ostream &)> run;
  /// In place of `run`: writes several files to the folder named.
  std::function<LogicalResult(TranslationInputs &, llvm::StringRef)> runFolder =
      nullptr;
};

/// Adds the translations of configs, and the options that they have, to the
/// command line.
void registerConfigTranslations(std::vector<Translation> &translations);

/// Adds those of xconfigs to configs.
void registerXconfigTranslations(std::vector<Translation> &translations);

/// Adds the translations of trained models.
void registerModelTranslations(std::vector<Translation> &translations);

/// The same for requests, and for runtime programs.
void registerRequestTranslations(std::vector<Translation> &translations);
void registerProgramTranslations(std::vector<Translation> &translations);

/// Adds the drawing of networks and computations, and its option.
void registerDotTranslations(std::vector<Translation> &translations);

/// Adds those to the formats of other compilers.
void registerTensorTranslations(std::vector<Translation> &translations);

/// Adds those from ONNX, and their option.
void registerOnnxTranslations(std::vector<Translation> &translations);

/// Adds the translation of models to JSON.
void registerJsonTranslations(std::vector<Translation> &translations);

/// All translations there are.
std::vector<Translation> getAllTranslations();

//===----------------------------------------------------------------------===//
// For translations
//===----------------------------------------------------------------------===//

/// The category of nnet3-translate's options, which --help shows.
llvm::cl::OptionCategory &getTranslateCategory();

/// Reads the text of `file` (`-`: standard input, `command |`: its output),
/// which stays with the source manager.
FailureOr<llvm::StringRef> readText(TranslationInputs &inputs,
                                    llvm::StringRef file);

/// Parses `file`, MLIR text or bytecode.
OwningOpRef<ModuleOp> readModule(TranslationInputs &inputs,
                                 llvm::StringRef file);

/// Writes `module` as text, or as bytecode if that is asked for.
LogicalResult writeModule(ModuleOp module, TranslationInputs &inputs,
                          llvm::raw_ostream &os);

/// The main function of nnet3-translate.
int translateMain(int argc, char **argv);

} // namespace mlir::nnet3

#endif // NNET3_TOOLS_TRANSLATE_H
