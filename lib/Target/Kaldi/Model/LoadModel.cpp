//===- LoadModel.cpp - A network from any kind of file --------------------===//
#include "nnet3/Target/Kaldi/LoadModel.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Parser/Parser.h"
#include "nnet3/Dialect/Nnet3/IR/Nnet3Dialect.h"
#include "nnet3/Target/Kaldi/Config.h"
#include "nnet3/Target/Kaldi/Diagnostics.h"
#include "nnet3/Target/Kaldi/Input.h"
#include "nnet3/Target/Kaldi/ModelReader.h"
#include "nnet3/Target/Kaldi/ModelWriter.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;

namespace nnet3 {

/// Whether `word` begins a line of a config.
static bool isConfigStatement(StringRef word) {
  return llvm::StringSwitch<bool>(word)
      .Cases({"component", "component-node", "input-node", "output-node",
              "dim-range-node"},
             true)
      .Default(false);
}

ModelFormat recogniseModel(StringRef data) {
  if (isBytecode(llvm::MemoryBufferRef(data, "")))
    return ModelFormat::Mlir;
  if (looksLikeModel(data))
    return ModelFormat::Kaldi;
  // The first line of either language that is not empty or a comment; MLIR's
  // attribute aliases, `#name = ...`, are passed over as a config's comments.
  while (!data.empty()) {
    auto [line, rest] = data.split('\n');
    data = rest;
    line = line.trim();
    if (!line.empty() && line.front() != '#')
      return isConfigStatement(line.take_until(llvm::isSpace))
                 ? ModelFormat::Config
                 : ModelFormat::Mlir;
  }
  return ModelFormat::Mlir;
}

OwningOpRef<ModuleOp>
parseMlirModule(std::unique_ptr<llvm::MemoryBuffer> buffer,
                MLIRContext *context) {
  // The parser of the text wants a zero byte at the end, and a mapped file does
  // not always have one.
  if (!isBytecode(*buffer))
    buffer = llvm::MemoryBuffer::getMemBufferCopy(
        buffer->getBuffer(), buffer->getBufferIdentifier());
  context->loadDialect<mlir::nnet3::Nnet3Dialect>();
  auto sources = std::make_shared<llvm::SourceMgr>();
  sources->AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
  return parseSourceFile<ModuleOp>(sources, ParserConfig(context));
}

LogicalResult writeMlirModule(ModuleOp module, raw_ostream &os, bool bytecode) {
  if (bytecode)
    return writeBytecodeToFile(module, os);
  module.print(os);
  os << '\n';
  return success();
}

/// Reads a config and draws its parameters.
static OwningOpRef<ModuleOp> loadConfig(const llvm::MemoryBuffer &buffer,
                                        MLIRContext *context,
                                        uint64_t initSeed) {
  context->loadDialect<mlir::nnet3::Nnet3Dialect>();
  ConfigSource source{buffer.getBuffer(), buffer.getBufferIdentifier()};
  OwningOpRef<ModuleOp> module = importConfigs(source, context);
  if (!module)
    return nullptr;
  mlir::nnet3::NetworkOp network = getOnlyNetwork(*module);
  if (!network || failed(initializeParameters(network, initSeed)))
    return nullptr;
  return module;
}

OwningOpRef<ModuleOp> loadModel(StringRef rxfilename, MLIRContext *context,
                                uint64_t initSeed) {
  auto buffer = readInput(rxfilename);
  if (!buffer) {
    (void)emitFileError(context, buffer.takeError());
    return nullptr;
  }
  switch (recogniseModel((*buffer)->getBuffer())) {
  case ModelFormat::Kaldi:
    return readModel((*buffer)->getBuffer(), (*buffer)->getBufferIdentifier(),
                     context);
  case ModelFormat::Config:
    return loadConfig(**buffer, context, initSeed);
  case ModelFormat::Mlir:
    return parseMlirModule(std::move(*buffer), context);
  }
  llvm_unreachable("unknown format");
}

} // namespace nnet3
