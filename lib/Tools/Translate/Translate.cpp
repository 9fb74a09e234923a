//===- Translate.cpp - Common parts of translations -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Tools/Translate.h"
#include "nnet3/Kaldi/IO/Input.h"
#include "nnet3/Kaldi/IO/KaldiError.h"
#include "nnet3/Kaldi/IO/OutputFile.h"
#include "nnet3/Pipelines/StageDialects.h"
#include "nnet3/Target/Kaldi/Diagnostics.h"
#include "nnet3/Target/Kaldi/LoadModel.h"
#include "nnet3/Target/Kaldi/ModelWriter.h"
#include "nnet3/Target/Kaldi/RequestReader.h"
#include "nnet3/Target/Kaldi/SourceDiagnostics.h"
#include "nnet3/Tools/Common/CommandLine.h"

#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace ::nnet3::kaldi;

using mlir::failed;
using mlir::failure;
using mlir::LogicalResult;
using mlir::ModuleOp;
using mlir::OwningOpRef;
using mlir::success;
namespace cl = llvm::cl;

namespace mlir::nnet3 {

std::vector<Translation> getAllTranslations() {
  std::vector<Translation> translations;
  registerConfigTranslations(translations);
  registerXconfigTranslations(translations);
  registerModelTranslations(translations);
  registerRequestTranslations(translations);
  registerProgramTranslations(translations);
  registerDotTranslations(translations);
  registerJsonTranslations(translations);
  registerTensorTranslations(translations);
  registerOnnxTranslations(translations);
  return translations;
}

/// Prints an error that has no source line.
static LogicalResult fail(llvm::Error error) {
  llvm::errs() << llvm::toString(std::move(error)) << '\n';
  return failure();
}

/// Adds the contents of `file` to the source manager.
static FailureOr<llvm::StringRef>
openBuffer(TranslationInputs &inputs, llvm::StringRef file, RejectFn reject) {
  auto buffer = readInput(file, reject);
  if (!buffer)
    return fail(buffer.takeError());
  // Locations use the file name as the user gave it.
  auto named =
      llvm::MemoryBuffer::getMemBufferCopy((*buffer)->getBuffer(), file);
  llvm::StringRef contents = named->getBuffer();
  inputs.sourceMgr.AddNewSourceBuffer(std::move(named), llvm::SMLoc());
  return contents;
}

FailureOr<llvm::StringRef> readText(TranslationInputs &inputs,
                                    llvm::StringRef file) {
  FailureOr<llvm::StringRef> text = openBuffer(inputs, file, hasZeroByte);
  if (failed(text))
    return failure();
  // A binary file would cause an error in every line.
  if (llvm::Error error = checkIsText(*text, file))
    return fail(std::move(error));
  return text;
}

OwningOpRef<ModuleOp> readModule(TranslationInputs &inputs,
                                 llvm::StringRef file) {
  // The parser reads the main buffer of the source manager.
  FailureOr<llvm::StringRef> contents =
      openBuffer(inputs, file, isNeitherTextNorBytecode);
  if (failed(contents))
    return nullptr;
  ModelFormat format = recogniseModel(*contents);
  if (format != ModelFormat::Mlir && format != ModelFormat::Unknown) {
    (void)fail(makeFileError(file, llvm::Twine("expects MLIR, but got ") +
                                       (format == ModelFormat::Kaldi
                                            ? "a Kaldi model; see --raw-to-mlir"
                                        : format == ModelFormat::Config
                                            ? "a config; see --config-to-mlir"
                                            : "an xconfig; see "
                                              "--config-to-mlir")));
    return nullptr;
  }
  if (isNeitherTextNorBytecode(*contents)) {
    (void)fail(checkIsText(*contents, file));
    return nullptr;
  }
  if (!isBytecode(llvm::MemoryBufferRef(*contents, file)))
    if (llvm::Error error = checkNesting(*contents, file)) {
      (void)fail(std::move(error));
      return nullptr;
    }
  return parseSourceFile<ModuleOp>(inputs.sourceMgr, &inputs.context);
}

LogicalResult writeModule(ModuleOp module, TranslationInputs &inputs,
                          llvm::raw_ostream &os) {
  if (!inputs.requestFile.empty()) {
    // Errors of opening a file have no source line.
    LineDiagnosticHandler handler(&inputs.context, llvm::errs());
    NetworkOp network = getOnlyNetwork(module);
    if (!network || failed(readRequestFile(inputs.requestFile, network)))
      return failure();
  }
  return writeMlirModule(module, os, inputs.emitBytecode);
}

/// Runs `translation`; `outputName` is its output file or folder.
static LogicalResult run(const Translation &translation,
                         TranslationInputs &inputs,
                         llvm::StringRef outputName) {
  if (translation.runFolder) {
    if (outputName == "-")
      return fail(makeFileError("", "--" + translation.name +
                                        " needs a folder to write, -o"));
    return translation.runFolder(inputs, outputName);
  }
  auto output = OutputFile::create(outputName);
  if (!output)
    return fail(output.takeError());
  if (failed(translation.run(inputs, (*output)->getStream())))
    return failure();
  if (llvm::Error error = (*output)->commit())
    return fail(std::move(error));
  return success();
}

cl::OptionCategory &getTranslateCategory() {
  static cl::OptionCategory category("Options of nnet3-translate");
  return category;
}

int translateMain(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  prepareSignals(argv[0]);
  prepareCommandLine();
  cl::OptionCategory &category = getTranslateCategory();
  std::vector<Translation> translations = getAllTranslations();
  cl::list<std::string> files(cl::Positional, cl::desc("<input files>"));
  cl::opt<std::string> outputName("o", cl::desc("Output file (-: stdout)"),
                                  cl::value_desc("file"), cl::init("-"),
                                  cl::cat(category));
  cl::opt<std::string> requestFile(
      "request", cl::value_desc("file"), cl::cat(category),
      cl::desc("Put the requests of this file after a network that is written "
               "as MLIR"));
  cl::opt<std::string> existingModel(
      "existing-model", cl::value_desc("model"), cl::cat(category),
      cl::desc("Read configs and xconfigs on top of this model"));
  cl::opt<std::string> nnetEdits(
      "nnet-edits", cl::value_desc("directives"), cl::cat(category),
      cl::desc("Compute the contexts that --xconfig-to-configs writes from the "
               "network with these edits, e.g. 'rename-node "
               "old-name=output-a new-name=output'"));
  cl::opt<bool> emitBytecode(
      "emit-bytecode", cl::cat(category),
      cl::desc("Write MLIR as bytecode, as an output named .mlirbc is"));
  cl::opt<bool> binary(
      "binary", cl::desc("Write raw models in binary, otherwise as text"),
      cl::init(true), cl::cat(category));
  std::vector<std::unique_ptr<cl::opt<bool>>> flags;
  for (const Translation &translation : translations)
    flags.push_back(std::make_unique<cl::opt<bool>>(
        llvm::StringRef(translation.name), cl::desc(translation.description),
        cl::cat(category)));
  registerAsmPrinterCLOptions();
  cl::ParseCommandLineOptions(argc, argv,
                              "Kaldi nnet3 models to MLIR and back\n");

  const Translation *chosen = nullptr;
  unsigned count = 0;
  for (auto [translation, flag] : llvm::zip(translations, flags))
    if (*flag) {
      chosen = &translation;
      ++count;
    }
  if (count != 1) {
    llvm::errs() << "error: expects one translation, but got " << count
                 << "; see --help\n";
    return 1;
  }
  const Translation &translation = *chosen;
  if (files.empty())
    files.push_back("-");
  if (files.size() > 1 && !translation.takesSeveral) {
    llvm::errs() << "error: --" << translation.name
                 << " takes one input file\n";
    return 1;
  }
  if (!nnetEdits.empty() && !translation.runFolder) {
    llvm::errs() << "error: --nnet-edits needs --xconfig-to-configs\n";
    return 1;
  }
  DialectRegistry registry;
  registerStageDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadDialect<Nnet3Dialect>();
  context.printOpOnDiagnostic(false);
  llvm::SourceMgr sourceMgr;
  SourceDiagnosticHandler handler(sourceMgr, &context);
  bool bytecode =
      emitBytecode || llvm::StringRef(outputName).ends_with(".mlirbc");
  TranslationInputs inputs{context, files,       sourceMgr,     bytecode,
                           binary,  requestFile, existingModel, nnetEdits};
  return failed(run(translation, inputs, outputName)) ? 1 : 0;
}

} // namespace mlir::nnet3
