//===- LoadModel.cpp - Loading a network from any format ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nnet3/Target/Kaldi/LoadModel.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Parser/Parser.h"
#include "nnet3/Dialect/Nnet3/IR/ModuleAttributes.h"
#include "nnet3/Dialect/Nnet3/IR/Nnet3Dialect.h"
#include "nnet3/Kaldi/IO/Input.h"
#include "nnet3/Target/Kaldi/Config.h"
#include "nnet3/Target/Kaldi/Diagnostics.h"
#include "nnet3/Target/Kaldi/ModelReader.h"
#include "nnet3/Target/Kaldi/ModelWriter.h"
#include "nnet3/Target/Kaldi/Xconfig.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"

using namespace ::nnet3::kaldi;
using namespace mlir;

namespace mlir::nnet3 {

std::string findModelFile(StringRef path) {
  if (llvm::sys::fs::is_directory(path))
    for (StringRef name : {"am/final.mdl", "final.mdl"}) {
      llvm::SmallString<128> file(path);
      llvm::sys::path::append(file, name);
      if (llvm::sys::fs::exists(file))
        return file.str().str();
    }
  return path.str();
}

/// Returns true if `word` begins a config line.
static bool isConfigStatement(StringRef word) {
  return llvm::StringSwitch<bool>(word)
      .Cases({"component", "component-node", "input-node", "output-node",
              "dim-range-node"},
             true)
      .Default(false);
}

/// Returns true if `line` can be the first line of MLIR text: a comment, an
/// alias, resources, or an operation.
static bool beginsMlir(StringRef line) {
  for (StringRef start : {"//", "%", "\"", "{-#"})
    if (line.starts_with(start))
      return true;
  if (line.consume_front("!")) // Not `!<arch>`, as archives begin.
    return !line.empty() &&
           (llvm::isAlpha(line.front()) || line.front() == '_');
  StringRef word = line.take_while(
      [](char c) { return llvm::isAlnum(c) || c == '_' || c == '.'; });
  return word == "module" || word.contains('.');
}

/// Returns the first line of a config or of MLIR text that is neither empty nor
/// a comment; also skips MLIR's attribute aliases `#name = ...`. Empty if there
/// is none.
static StringRef findFirstLine(StringRef data) {
  while (!data.empty()) {
    auto [line, rest] = data.split('\n');
    StringRef trimmed = line.trim();
    if (!trimmed.empty() && trimmed.front() != '#')
      return trimmed;
    data = rest;
  }
  return {};
}

ModelFormat recogniseModel(StringRef data) {
  if (isBytecode(llvm::MemoryBufferRef(data, "")))
    return ModelFormat::Mlir;
  if (looksLikeModel(data))
    return ModelFormat::Kaldi;
  StringRef line = findFirstLine(data);
  StringRef word = line.take_until(llvm::isSpace);
  if (isConfigStatement(word))
    return ModelFormat::Config;
  if (isXconfigLayer(word))
    return ModelFormat::Xconfig;
  return beginsMlir(line) ? ModelFormat::Mlir : ModelFormat::Unknown;
}

bool isNeitherTextNorBytecode(StringRef beginning) {
  constexpr size_t markSize = 4; // of bytecode's magic number
  return beginning.size() >= markSize &&
         !isBytecode(llvm::MemoryBufferRef(beginning, "")) &&
         hasZeroByte(beginning);
}

llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
readTextOrBytecode(StringRef rxfilename) {
  auto buffer = readInput(rxfilename, isNeitherTextNorBytecode);
  if (!buffer || isBytecode(**buffer))
    return buffer;
  StringRef text = (*buffer)->getBuffer(),
            name = (*buffer)->getBufferIdentifier();
  if (isNeitherTextNorBytecode(text))
    return checkIsText(text, name);
  if (llvm::Error error = checkNesting(text, name))
    return std::move(error);
  return buffer;
}

std::unique_ptr<llvm::MemoryBuffer>
terminateText(std::unique_ptr<llvm::MemoryBuffer> buffer) {
  if (isBytecode(*buffer))
    return buffer;
  return llvm::MemoryBuffer::getMemBufferCopy(buffer->getBuffer(),
                                              buffer->getBufferIdentifier());
}

/// Returns true if no supported format begins with `beginning`.
static bool cannotBeLoaded(StringRef beginning) {
  if (looksLikeModel(beginning))
    return cannotBeginModel(beginning);
  if (isNeitherTextNorBytecode(beginning))
    return true;
  StringRef lines = beginning.take_front(beginning.rfind('\n') + 1);
  return !findFirstLine(lines).empty() &&
         recogniseModel(lines) == ModelFormat::Unknown;
}

OwningOpRef<ModuleOp>
parseMlirModule(std::unique_ptr<llvm::MemoryBuffer> buffer,
                MLIRContext *context) {
  context->loadDialect<Nnet3Dialect>();
  if (!isBytecode(*buffer))
    if (llvm::Error error =
            checkNesting(buffer->getBuffer(), buffer->getBufferIdentifier())) {
      (void)emitFileError(context, std::move(error));
      return nullptr;
    }
  auto sources = std::make_shared<llvm::SourceMgr>();
  sources->AddNewSourceBuffer(terminateText(std::move(buffer)), llvm::SMLoc());
  return parseSourceFile<ModuleOp>(sources, ParserConfig(context));
}

LogicalResult writeMlirModule(ModuleOp module, raw_ostream &os, bool bytecode) {
  if (bytecode)
    return writeBytecodeToFile(module, os);
  module.print(os);
  os << '\n';
  return success();
}

/// Emits an error at the first word of `data`, which has no supported format.
static void emitUnknownFormat(StringRef data, StringRef name,
                              MLIRContext *context) {
  StringRef expected = "expects a Kaldi model, a config, an xconfig or MLIR, "
                       "but got ";
  StringRef line = findFirstLine(data);
  StringRef kind = line.empty() ? "an empty file"
                   : data.starts_with(StringRef("\0asm", 4))
                       ? "a module of WebAssembly"
                       : "";
  if (!kind.empty()) {
    (void)emitFileError(context, makeFileError(name, expected + kind));
    return;
  }
  StringRef before = data.take_front(line.data() - data.data());
  unsigned column = before.size() - (before.rfind('\n') + 1) + 1;
  emitError(FileLineColLoc::get(context, name, before.count('\n') + 1, column))
      << expected << quoteForMessage(line.take_until(llvm::isSpace));
}

/// Reads a config or an xconfig and initialises its parameters randomly.
static OwningOpRef<ModuleOp> loadConfig(const llvm::MemoryBuffer &buffer,
                                        ModelFormat format,
                                        MLIRContext *context,
                                        uint64_t initSeed) {
  context->loadDialect<Nnet3Dialect>();
  ConfigSource source{buffer.getBuffer(), buffer.getBufferIdentifier()};
  OwningOpRef<ModuleOp> module = format == ModelFormat::Xconfig
                                     ? importXconfig(source, context)
                                     : importConfigs(source, context);
  if (!module)
    return nullptr;
  NetworkOp network = getOnlyNetwork(*module);
  if (!network || failed(initializeParameters(network, initSeed)))
    return nullptr;
  return module;
}

/// Parses MLIR, whose parameters must have values.
static OwningOpRef<ModuleOp>
loadMlir(std::unique_ptr<llvm::MemoryBuffer> buffer, MLIRContext *context) {
  OwningOpRef<ModuleOp> module = parseMlirModule(std::move(buffer), context);
  if (module && (*module)->hasAttr(kElidedWeightsAttr)) {
    module->emitError("was written without its weights");
    return nullptr;
  }
  return module;
}

OwningOpRef<ModuleOp> loadModel(StringRef rxfilename, MLIRContext *context,
                                uint64_t initSeed) {
  if (llvm::sys::fs::is_directory(rxfilename)) {
    (void)emitFileError(
        context, makeFileError(rxfilename, "the folder has no model: neither "
                                           "'am/final.mdl' nor 'final.mdl'"));
    return nullptr;
  }
  auto buffer = readInput(rxfilename, cannotBeLoaded);
  if (!buffer) {
    (void)emitFileError(context, buffer.takeError());
    return nullptr;
  }
  ModelFormat format = recogniseModel((*buffer)->getBuffer());
  switch (format) {
  case ModelFormat::Kaldi:
    return readModel(**buffer, context);
  case ModelFormat::Config:
  case ModelFormat::Xconfig:
    return loadConfig(**buffer, format, context, initSeed);
  case ModelFormat::Mlir:
    return loadMlir(std::move(*buffer), context);
  case ModelFormat::Unknown:
    emitUnknownFormat((*buffer)->getBuffer(), (*buffer)->getBufferIdentifier(),
                      context);
    return nullptr;
  }
  llvm_unreachable("unknown format");
}

} // namespace mlir::nnet3
