//===- ConfigReader.cpp - Config files to networks ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Target/Kaldi/Config.h"

#include "ComponentReader.h"
#include "ConfigLine.h"
#include "NodeReader.h"
#include "nnet3/Kaldi/IO/KaldiError.h"
#include "nnet3/Target/Kaldi/DescriptorParser.h"

#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"

#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/StringMap.h"

using namespace ::nnet3::kaldi;

using mlir::failed;
using mlir::failure;
using mlir::Location;
using mlir::LogicalResult;
using mlir::MLIRContext;
using mlir::Operation;
using mlir::OwningOpRef;
using mlir::succeeded;
using mlir::success;
using mlir::nnet3::ComponentOpInterface;
using mlir::nnet3::NetworkOp;

namespace mlir::nnet3 {

namespace {

/// Reads one config on top of a network (spec: formats.md 1.3).
class ConfigReader {
public:
  ConfigReader(NetworkOp network, llvm::StringRef fileName)
      : network(network), nodes(network, components),
        fileName(StringAttr::get(network.getContext(), fileName)) {
    for (auto component : network.getOps<ComponentOpInterface>())
      components[SymbolTable::getSymbolName(component).getValue()] = component;
  }

  LogicalResult read(llvm::StringRef text, unsigned firstLine);

private:
  LogicalResult parseLines(llvm::StringRef text, unsigned firstLine);
  LogicalResult declare(ConfigLine &line);
  LogicalResult readComponentLine(ConfigLine &line, const ConfigValue &name);

  NetworkOp network;
  llvm::StringMap<Operation *> components;
  NodeReader nodes;
  StringAttr fileName;
  std::vector<ConfigLine> lines;
  /// Names that this config has declared, and their locations.
  llvm::StringMap<Location> componentNames;
  llvm::StringMap<Location> nodeNames;
};

} // namespace

LogicalResult ConfigReader::parseLines(llvm::StringRef text,
                                       unsigned firstLine) {
  bool ok = true;
  unsigned number = firstLine;
  while (!text.empty()) {
    auto [lineText, rest] = text.split('\n');
    text = rest;
    FailureOr<ConfigLine> line =
        ConfigLine::parse(lineText, fileName, number++);
    if (failed(line))
      ok = false;
    else if (!line->isEmpty())
      lines.push_back(std::move(*line));
  }
  return success(ok);
}

/// Checks the kind of line and the name, creates components, and declares
/// nodes.
LogicalResult ConfigReader::declare(ConfigLine &line) {
  bool isComponent = line.getWord() == "component";
  if (!isComponent && !NodeReader::isNodeWord(line.getWord()))
    return emitError(line.getWordLoc())
           << "unknown kind of line " << quoteForMessage(line.getWord());
  const ConfigValue *name = line.require("name", line.getWord());
  if (!name)
    return failure();
  Location loc = line.getLoc(*name);
  if (!isNameToken(name->value))
    return emitError(loc) << "invalid " << (isComponent ? "component" : "node")
                          << " name " << quoteForMessage(name->value);
  auto [entry, inserted] =
      (isComponent ? componentNames : nodeNames).try_emplace(name->value, loc);
  if (!inserted) {
    InFlightDiagnostic diag =
        emitError(loc) << (isComponent ? "component" : "node") << " name '"
                       << name->value << "' is used twice in one config";
    diag.attachNote(entry->second) << "first used here";
    return diag;
  }
  return isComponent ? readComponentLine(line, *name)
                     : nodes.declare(line, *name);
}

LogicalResult ConfigReader::readComponentLine(ConfigLine &line,
                                              const ConfigValue &name) {
  OpBuilder builder(network.getContext());
  Operation *&component = components[name.value];
  if (component)
    builder.setInsertionPoint(component);
  else
    builder.setInsertionPointToEnd(&network.getBody().front());
  Operation *created = readComponent(line, name, builder);
  if (!created)
    return failure();
  if (component)
    component->erase();
  component = created;
  return success();
}

LogicalResult ConfigReader::read(llvm::StringRef text, unsigned firstLine) {
  if (failed(parseLines(text, firstLine)))
    return failure();
  nodes.takeNodes();
  bool ok = true;
  for (ConfigLine &line : lines)
    ok &= succeeded(declare(line));
  if (!ok)
    return failure();
  Location loc = FileLineColLoc::get(fileName, firstLine, 1);
  if (failed(nodes.build(loc)))
    return failure();
  return verify(network);
}

LogicalResult readConfig(NetworkOp network, llvm::StringRef text,
                         llvm::StringRef fileName, unsigned firstLine) {
  return ConfigReader(network, fileName).read(text, firstLine);
}

OwningOpRef<ModuleOp> createNetworkModule(Location loc) {
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  OpBuilder builder = OpBuilder::atBlockEnd(module->getBody());
  auto network = NetworkOp::create(builder, loc, "network");
  network.getBody().emplaceBlock();
  return module;
}

OwningOpRef<ModuleOp> importConfigs(llvm::ArrayRef<ConfigSource> configs,
                                    MLIRContext *context) {
  Location loc = UnknownLoc::get(context);
  if (!configs.empty())
    loc = FileLineColLoc::get(context, configs.front().fileName, 1, 1);
  OwningOpRef<ModuleOp> module = createNetworkModule(loc);
  auto network = *module->getOps<NetworkOp>().begin();
  for (const ConfigSource &config : configs)
    if (failed(readConfig(network, config.text, config.fileName)))
      return nullptr;
  return module;
}

void warnAboutUnused(NetworkOp network) {
  llvm::StringMap<bool> used;
  for (auto node : network.getOps<ComponentNodeOp>())
    used[node.getComponent()] = true;
  for (Operation &op : network.getBody().front()) {
    if (llvm::isa<ComponentOpInterface>(op)) {
      llvm::StringRef name = SymbolTable::getSymbolName(&op).getValue();
      if (!used.count(name))
        op.emitWarning() << "component '" << name << "' is not used";
    } else if (auto name = op.getAttrOfType<StringAttr>("name")) {
      if (op.getNumResults() == 1 && op.use_empty())
        op.emitWarning() << "node '" << name.getValue() << "' is not used";
    }
  }
}

/// Returns the number of elements of all tensors of an initialised component
/// and its parts. Each tensor has fewer than 2^31 elements.
static int64_t countElements(ComponentOpInterface component) {
  int64_t elements = 0;
  component->walk([&](ComponentOpInterface part) {
    for (const auto &tensor : part.getTensors())
      elements += ShapedType::getNumElements(tensor.shape);
  });
  return elements;
}

LogicalResult initializeParameters(NetworkOp network, uint64_t seed) {
  // 4 GiB: a short config must not exhaust the machine's memory.
  constexpr int64_t maxElements = int64_t(1) << 30;
  int64_t elements = 0;
  for (auto component : network.getOps<ComponentOpInterface>()) {
    elements += countElements(component);
    if (elements > maxElements)
      return component.emitError("the network's components have more than ")
             << maxElements << " parameters";
  }
  ConfigParameterInitializer initializer(seed);
  for (auto component : network.getOps<ComponentOpInterface>())
    if (failed(component.initializeParameters(initializer)))
      return failure();
  return success();
}

} // namespace mlir::nnet3
