//===- ConfigWriter.cpp - Networks to config files ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Target/Kaldi/Config.h"

#include "ComponentTable.h"
#include "Numbers.h"
#include "nnet3/Kaldi/IO/KaldiError.h"
#include "nnet3/Target/Kaldi/DescriptorParser.h"

#include "nnet3/Dialect/Nnet3/Analysis/Descriptor.h"
#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/TypeSwitch.h"

using mlir::Attribute;
using mlir::failed;
using mlir::failure;
using mlir::LogicalResult;
using mlir::Operation;
using mlir::success;
using namespace ::nnet3::kaldi;
using namespace mlir::nnet3;

namespace mlir::nnet3 {

//===----------------------------------------------------------------------===//
// Components
//===----------------------------------------------------------------------===//

namespace {

/// Writes the type and the keys of one component.
class ComponentWriter {
public:
  ComponentWriter(Operation *op, const ComponentConfig &config,
                  llvm::raw_ostream &os)
      : op(op), config(config), os(os),
        init(op->getAttrOfType<DictionaryAttr>("init")) {}

  LogicalResult write();

private:
  Attribute getAttribute(const ConfigKey &key);
  bool isGivenByFile(const ConfigKey &key);
  LogicalResult writeValue(const ConfigKey &key, Attribute value);
  LogicalResult writeComponents();

  Operation *op;
  const ComponentConfig &config;
  llvm::raw_ostream &os;
  DictionaryAttr init;
  bool hasFile = false;
};

} // namespace

static LogicalResult writeComponent(ComponentOpInterface component,
                                    llvm::raw_ostream &os);

Attribute ComponentWriter::getAttribute(const ConfigKey &key) {
  if (key.flags & Init)
    return init ? init.get(key.attribute) : Attribute();
  return op->getAttr(key.attribute);
}

/// Returns true if the parameter file implies the key.
bool ComponentWriter::isGivenByFile(const ConfigKey &key) {
  switch (config.fileDims) {
  case FileDims::NoFile:
    return false;
  case FileDims::Affine:
  case FileDims::Linear:
    return hasFile && (key.key == "input-dim" || key.key == "output-dim");
  case FileDims::Vector:
    return hasFile && key.key == "dim";
  case FileDims::BlockVector:
    return hasFile && key.key == "block-dim";
  case FileDims::Filters:
    return hasFile && key.key == "num-filters";
  }
  llvm_unreachable("all kinds are listed");
}

LogicalResult ComponentWriter::writeValue(const ConfigKey &key,
                                          Attribute value) {
  os << ' ' << key.key << '=';
  llvm::TypeSwitch<Attribute>(value)
      .Case([&](BoolAttr flag) { os << (flag.getValue() ? "true" : "false"); })
      .Case([&](IntegerAttr number) { os << number.getInt(); })
      .Case([&](FloatAttr number) {
        double real = number.getValueAsDouble();
        if (number.getType().isF32())
          os << formatReal(static_cast<float>(real));
        else
          os << formatDouble(real);
      })
      .Case([&](DenseI64ArrayAttr list) {
        if (key.kind != KeyKind::PairList)
          return llvm::interleave(list.asArrayRef(), os, ",");
        for (int64_t i = 0; i + 1 < list.size(); i += 2)
          os << (i > 0 ? ";" : "") << list[i] << ',' << list[i + 1];
      });
  auto text = llvm::dyn_cast<StringAttr>(value);
  if (!text)
    return success();
  // Values have no escape sequences.
  llvm::StringRef name = text.getValue();
  if (name.contains('"') || name.contains('\n') || name.contains('#'))
    return op->emitError() << "file name " << quoteForMessage(name)
                           << " cannot be written in a config";
  bool needsQuotes =
      name.empty() || name.find_first_of(" \t='") != llvm::StringRef::npos;
  if (needsQuotes)
    os << '"' << name << '"';
  else
    os << name;
  return success();
}

/// Writes the lines of the parts as values of keys.
LogicalResult ComponentWriter::writeComponents() {
  auto parts = op->getRegion(0).front().getOps<ComponentOpInterface>();
  os << " num-components=" << llvm::range_size(parts);
  int64_t number = 0;
  for (ComponentOpInterface part : parts) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    if (failed(writeComponent(part, stream)))
      return failure();
    // Values have no escape sequences.
    if (text.find('\'') != std::string::npos)
      return op->emitError()
             << "the keys of '" << SymbolTable::getSymbolName(part).getValue()
             << "' cannot be written in a config: " << quoteForMessage(text);
    os << " component" << ++number << "='" << text << '\'';
  }
  return success();
}

LogicalResult ComponentWriter::write() {
  os << "type=" << config.type;
  if (const ConfigKey *file = config.getFileKey())
    hasFile = getAttribute(*file) != nullptr;

  // An operation without attributes has the default values.
  Operation *defaults =
      Operation::create(OperationState(op->getLoc(), op->getName()));
  LogicalResult result = success();
  llvm::SmallDenseSet<llvm::StringRef> written;
  for (const ConfigKey &key : config.keys) {
    Attribute value = getAttribute(key);
    bool isDefault = !(key.flags & (Required | Init)) &&
                     defaults->getAttr(key.attribute) == value;
    if (!value || isDefault || isGivenByFile(key) ||
        !written.insert(key.attribute).second)
      continue;
    if (result = writeValue(key, value); failed(result))
      break;
  }
  defaults->destroy();
  if (succeeded(result) && config.group == KeyGroup::Components)
    return writeComponents();
  return result;
}

/// Writes the type and the keys of a component.
static LogicalResult writeComponent(ComponentOpInterface component,
                                    llvm::raw_ostream &os) {
  const ComponentConfig *config = findComponentConfig(component.getKaldiType());
  if (!config)
    return component.emitError()
           << "component type " << component.getKaldiType()
           << " cannot be written in a config";
  return ComponentWriter(component, *config, os).write();
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

static void writeNode(Operation *op, llvm::raw_ostream &os) {
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](InputNodeOp input) {
        os << "input-node name=" << input.getName()
           << " dim=" << input.getResult().getType().getDim() << '\n';
      })
      .Case([&](ComponentNodeOp component) {
        os << "component-node name=" << component.getName()
           << " component=" << component.getComponent() << " input=";
        print(readDescriptor(component.getInput()), os);
        os << '\n';
      })
      .Case([&](DimRangeNodeOp range) {
        os << "dim-range-node name=" << range.getName()
           << " input-node=" << readDescriptor(range.getSource()).name
           << " dim-offset=" << range.getDimOffset()
           << " dim=" << range.getResult().getType().getDim() << '\n';
      })
      .Case([&](OutputNodeOp output) {
        os << "output-node name=" << output.getName() << " input=";
        print(readDescriptor(output.getInput()), os);
        os << " objective=" << stringifyObjective(output.getObjective())
           << '\n';
      });
}

void writeConfigNodes(NetworkOp network, llvm::raw_ostream &os) {
  for (Operation &op : network.getBody().front())
    writeNode(&op, os);
}

LogicalResult writeConfig(NetworkOp network, llvm::raw_ostream &os) {
  for (auto component : network.getOps<ComponentOpInterface>()) {
    os << "component name=" << SymbolTable::getSymbolName(component).getValue()
       << ' ';
    if (failed(writeComponent(component, os)))
      return failure();
    os << '\n';
  }
  writeConfigNodes(network, os);
  return success();
}

} // namespace mlir::nnet3
