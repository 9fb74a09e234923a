//===- ModelReader.cpp - Reading of trained models ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nnet3/Target/Kaldi/ModelReader.h"
#include "ComponentReader.h"
#include "mlir/IR/Verifier.h"
#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"
#include "nnet3/Kaldi/IO/Input.h"
#include "nnet3/Target/Kaldi/Config.h"
#include "nnet3/Target/Kaldi/Diagnostics.h"
#include "nnet3/Target/Kaldi/ModelWriter.h"
#include "nnet3/Target/Kaldi/TensorData.h"
#include "nnet3/Target/Kaldi/TransitionModel.h"
#include "llvm/ADT/StringMap.h"

using namespace ::nnet3::kaldi;
using namespace mlir;
using mlir::nnet3::NetworkOp;

namespace mlir::nnet3 {

/// Kaldi's limit (spec: formats.md 4).
static constexpr int32_t maxComponents = 99999;

namespace {
class ModelReader {
public:
  ModelReader(StringRef data, StringRef name, MLIRContext *context)
      : data(data), reader(data, name), builder(context) {}

  void setRelease(std::function<void(StringRef)> release) {
    reader.setRelease(std::move(release));
  }
  OwningOpRef<ModuleOp> read();

private:
  Location here() {
    return getFileLocation(builder.getContext(), reader.getName(),
                           reader.getLocation());
  }
  LogicalResult readFile();
  LogicalResult readTransitions();
  LogicalResult readNetwork();
  void setNodeLocation();
  LogicalResult readNodeLines();
  LogicalResult readComponents();
  LogicalResult readComponent();
  LogicalResult readAcousticTail();
  llvm::Error takeError();

  StringRef data;
  KaldiReader reader;
  OpBuilder builder;
  /// The packed transition model; empty if there is none.
  std::string transitions;
  /// Whether the file contains an acoustic model, which begins with a
  /// transition model.
  bool isAcoustic = false;
  NetworkOp network;
  /// The config block and the number of its first line.
  std::string nodeLines;
  std::string nodeFile;
  unsigned firstNodeLine = 1;
  /// The location of each component name.
  llvm::StringMap<Location> names;
  /// The current component, for messages.
  std::string component;
};
} // namespace

/// Sets the location of the config block. In binary files too the block is
/// text: it begins in line 2, but after a transition model its lines count from
/// its first byte.
void ModelReader::setNodeLocation() {
  FileLocation where = reader.getLocation();
  nodeFile = reader.getName().str();
  firstNodeLine = where.line;
  if (where.line != 0)
    return;
  firstNodeLine = isAcoustic ? 1 : 2;
  if (isAcoustic)
    nodeFile += ":byte " + std::to_string(where.byte);
}

/// Reads the config block, up to an empty line (spec: formats.md 4).
LogicalResult ModelReader::readNodeLines() {
  auto isEmpty = [](StringRef line) { return line.empty() || line == "\r"; };
  std::string line;
  if (failed(reader.readLine(line)))
    return failure();
  if (!isEmpty(line))
    return reader.fail("expects a line end after <Nnet3>, but got " +
                       quoteForMessage(line));
  while (true) {
    if (failed(reader.readLine(line)))
      return failure();
    if (nodeLines.empty())
      setNodeLocation();
    if (isEmpty(line))
      return success();
    if (StringRef(line).ltrim().take_until(llvm::isSpace) == "component")
      return reader.fail("expects a node before the components, but got a "
                         "component");
    nodeLines += line + '\n';
  }
}

LogicalResult ModelReader::readComponent() {
  std::string name;
  if (failed(reader.expectToken("<ComponentName>")) ||
      failed(reader.readToken(name)))
    return failure();
  FileLocation where = reader.getLocation();
  auto [entry, inserted] = names.try_emplace(name, here());
  if (!inserted)
    return reader.failAt(where, "component name " + quoteForMessage(name) +
                                    " is used twice");
  component = name;
  Operation *op = ModelComponentReader(reader, builder).read(name, here());
  if (!op)
    return failure();
  component.clear();
  return verify(op);
}

LogicalResult ModelReader::readComponents() {
  int32_t count;
  if (failed(reader.expectToken("<NumComponents>")) ||
      failed(reader.readInt32(count)))
    return failure();
  if (count < 0 || count > maxComponents)
    return reader.fail("expects between 0 and " + Twine(maxComponents) +
                       " components, but got " + Twine(count));
  for (int32_t i = 0; i < count; ++i)
    if (failed(readComponent()))
      return failure();
  return reader.expectToken("</Nnet3>");
}

LogicalResult ModelReader::readNetwork() {
  if (failed(reader.expectToken("<Nnet3>")))
    return failure();
  network = NetworkOp::create(builder, here(), "network");
  if (isAcoustic)
    network.setTransitionModelAttr(
        makeByteData(builder.getContext(), transitions, "transition_model"));
  builder.setInsertionPointToEnd(&network.getBody().emplaceBlock());
  return success(succeeded(readNodeLines()) && succeeded(readComponents()));
}

/// Reads the contexts, which follow from the network and are dropped, and the
/// priors.
LogicalResult ModelReader::readAcousticTail() {
  int32_t context;
  if (failed(reader.expectToken("<LeftContext>")) ||
      failed(reader.readInt32(context)) ||
      failed(reader.expectToken("<RightContext>")) ||
      failed(reader.readInt32(context)) ||
      failed(reader.expectToken("<Priors>")))
    return failure();
  TensorStorage priors;
  if (failed(reader.readVector(
          [&](int64_t dim) { return priors.allocate({dim}); })))
    return failure();
  if (!priors.empty())
    network.setPriorsAttr(priors.take(builder.getContext(), "priors"));
  return success();
}

/// Reads the transition model, and keeps its bytes.
LogicalResult ModelReader::readTransitions() {
  uint64_t start = reader.getOffset();
  TransitionModel model;
  if (failed(readTransitionModel(reader, model)))
    return failure();
  if (!reader.isBinary())
    reader.skipSpace();
  transitions = packTransitionModel(
      model, data.slice(start, reader.getOffset()), reader.isBinary());
  return success();
}

LogicalResult ModelReader::readFile() {
  if (failed(reader.readHeader()))
    return failure();
  isAcoustic = reader.peekToken() == 'T';
  if (isAcoustic && failed(readTransitions()))
    return failure();
  if (failed(readNetwork()))
    return failure();
  return isAcoustic ? readAcousticTail() : success();
}

/// Takes the reader's error and adds the name of the component.
llvm::Error ModelReader::takeError() {
  llvm::Error error = reader.takeError();
  if (component.empty())
    return error;
  return llvm::handleErrors(
      std::move(error), [&](const KaldiError &e) -> llvm::Error {
        return llvm::make_error<KaldiError>(e.file, e.location,
                                            e.message + ", in component " +
                                                quoteForMessage(component));
      });
}

OwningOpRef<ModuleOp> ModelReader::read() {
  MLIRContext *context = builder.getContext();
  context->loadDialect<Nnet3Dialect>();
  OwningOpRef<ModuleOp> module = ModuleOp::create(builder, here());
  builder.setInsertionPointToEnd(module->getBody());
  if (failed(readFile())) {
    (void)emitFileError(context, takeError());
    return nullptr;
  }
  if (failed(readConfig(network, nodeLines, nodeFile, firstNodeLine)) ||
      failed(verify(*module)))
    return nullptr;
  return module;
}

OwningOpRef<ModuleOp> readModel(StringRef data, StringRef name,
                                MLIRContext *context) {
  return ModelReader(data, name, context).read();
}

OwningOpRef<ModuleOp> readModel(const llvm::MemoryBuffer &file,
                                MLIRContext *context) {
  ModelReader reader(file.getBuffer(), file.getBufferIdentifier(), context);
  reader.setRelease([&](StringRef part) { releasePart(file, part); });
  return reader.read();
}

bool looksLikeModel(StringRef data) {
  if (data.starts_with(StringRef("\0B", 2)))
    return true;
  StringRef text = data.ltrim();
  return text.starts_with("<Nnet3>") || text.starts_with("<TransitionModel>");
}

bool cannotBeginModel(StringRef beginning) {
  StringRef text = beginning.ltrim();
  text.consume_front(StringRef("\0B", 2));
  return text.size() > StringRef("<TransitionModel>").size() &&
         !looksLikeModel(text);
}

} // namespace mlir::nnet3
