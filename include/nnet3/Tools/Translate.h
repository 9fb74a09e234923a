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

/// The inputs of a translation. Errors are emitted through `context`.
struct TranslationInputs {
  MLIRContext &context;
  /// The input files, at least one; `-` is standard input.
  std::vector<std::string> files;
  /// Owns the texts that are read, and prints their lines in diagnostics.
  llvm::SourceMgr &sourceMgr;
  /// Whether MLIR is written as bytecode.
  bool emitBytecode = false;
  /// Whether raw models are written in binary.
  bool binary = true;
  /// File with requests to add after the network; empty for none.
  std::string requestFile;
  /// Model that configs are read on top of; empty for none.
  std::string existingModel;
  /// Edit directives for the network whose context is written; empty for none.
  std::string nnetEdits;
};

/// One translation: a flag of nnet3-translate and its function.
struct Translation {
  /// The flag, without dashes.
  std::string name;
  std::string description;
  /// Whether it accepts several files.
  bool takesSeveral = false;
  /// Writes the result to the stream; on failure, the output is discarded.
  std::function<LogicalResult(TranslationInputs &, llvm::raw_ostream &)> run;
  /// Used instead of `run`: writes several files to a folder.
  std::function<LogicalResult(TranslationInputs &, llvm::StringRef)> runFolder =
      nullptr;
};

/// Adds the translations of configs, and their options, to the command line.
void registerConfigTranslations(std::vector<Translation> &translations);

/// Adds the translations of xconfigs to configs.
void registerXconfigTranslations(std::vector<Translation> &translations);

/// Adds the translations of trained models.
void registerModelTranslations(std::vector<Translation> &translations);

/// Adds the translations of requests.
void registerRequestTranslations(std::vector<Translation> &translations);
void registerProgramTranslations(std::vector<Translation> &translations);

/// Adds the translations of networks and computations to drawings, and their
/// option.
void registerDotTranslations(std::vector<Translation> &translations);

/// Adds the translations to the formats of other compilers.
void registerTensorTranslations(std::vector<Translation> &translations);

/// Adds the translations from ONNX, and their option.
void registerOnnxTranslations(std::vector<Translation> &translations);

/// Adds the translation of models to JSON.
void registerJsonTranslations(std::vector<Translation> &translations);

/// Returns all translations.
std::vector<Translation> getAllTranslations();

//===----------------------------------------------------------------------===//
// Helpers for translations
//===----------------------------------------------------------------------===//

/// The category of nnet3-translate's options, which --help shows.
llvm::cl::OptionCategory &getTranslateCategory();

/// Reads the text of `file` (`-` for standard input, `command |` for its
/// output), which the source manager then owns.
FailureOr<llvm::StringRef> readText(TranslationInputs &inputs,
                                    llvm::StringRef file);

/// Parses `file`, MLIR text or bytecode.
OwningOpRef<ModuleOp> readModule(TranslationInputs &inputs,
                                 llvm::StringRef file);

/// Writes `module` as text, or as bytecode if `inputs` request it.
LogicalResult writeModule(ModuleOp module, TranslationInputs &inputs,
                          llvm::raw_ostream &os);

/// The main function of nnet3-translate.
int translateMain(int argc, char **argv);

} // namespace mlir::nnet3

#endif // NNET3_TOOLS_TRANSLATE_H
