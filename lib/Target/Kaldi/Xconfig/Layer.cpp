//===- Layer.cpp - A layer of an xconfig ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Layer.h"

#include "LayerScope.h"
#include "nnet3/Kaldi/IO/KaldiError.h"
#include "nnet3/Target/Kaldi/DescriptorParser.h"

#include "llvm/Support/raw_ostream.h"

using namespace ::nnet3::kaldi;

using mlir::failed;
using mlir::failure;
using mlir::FailureOr;
using mlir::Location;
using mlir::LogicalResult;
using mlir::success;

namespace mlir::nnet3::xconfig {

//===----------------------------------------------------------------------===//
// Settings
//===----------------------------------------------------------------------===//

const Setting *Layer::findSetting(llvm::StringRef key) const {
  for (const Setting &setting : settings)
    if (setting.key->name == key)
      return &setting;
  return nullptr;
}

const Setting &Layer::operator[](llvm::StringRef key) const {
  const Setting *setting = findSetting(key);
  assert(setting && "the type has no such key");
  return *setting;
}

Setting &Layer::find(llvm::StringRef key) {
  return const_cast<Setting &>((*this)[key]);
}

void Layer::setInt(llvm::StringRef key, int64_t value) {
  Setting &setting = find(key);
  setting.number = static_cast<double>(value);
  setting.text = std::to_string(value);
}

void Layer::setFloat(llvm::StringRef key, double value) {
  Setting &setting = find(key);
  setting.number = value;
  setting.text = formatReal(value);
}

int64_t Layer::deriveInt(llvm::StringRef key, int64_t value) {
  if (getInt(key) <= 0)
    setInt(key, value);
  return getInt(key);
}

LogicalResult Layer::expected(llvm::StringRef key,
                              const llvm::Twine &what) const {
  return emitError(key) << "expects " << key << " to be " << what
                        << ", but got " << quoteForMessage((*this)[key].text);
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

LogicalResult Layer::readName(ConfigLine &line) {
  const ConfigValue *value = line.require("name", type->name);
  if (!value)
    return failure();
  if (!isNameToken(value->value))
    return mlir::emitError(line.getLoc(*value))
           << "invalid name of a layer " << quoteForMessage(value->value);
  if (isDescriptorKeyword(value->value))
    return mlir::emitError(line.getLoc(*value))
           << "name of a layer '" << value->value
           << "' is a word of the descriptor language";
  name = value->value.str();
  return success();
}

LogicalResult Layer::readKey(ConfigLine &line, const LayerKey &key) {
  const ConfigValue *value = line.take(key.name);
  Setting &setting = settings.emplace_back(key, loc);
  if (!value) {
    if (!key.required)
      return success();
    return mlir::emitError(loc)
           << type->name << " '" << name << "' has no " << key.name;
  }
  if (failed(setting.give(value->value, line.getLoc(*value))))
    return mlir::emitError(setting.loc)
           << "expects " << describe(key.kind) << " as " << key.name
           << ", but got " << quoteForMessage(value->value);
  std::string violation = setting.getViolation();
  return violation.empty() ? success() : expected(key.name, violation);
}

LogicalResult Layer::readInput(ConfigLine &line, LayerScope &scope) {
  const ConfigValue *value = line.take("input");
  inputSource = value ? value->value.str() : "[-1]";
  if (value)
    inputLoc = line.getLoc(*value);
  FailureOr<Descriptor> parsed =
      scope.parse(inputSource, [&](size_t offset) -> LocationAttr {
        return value ? line.getLoc(value->valueColumn + offset) : loc;
      });
  if (failed(parsed))
    return failure();
  input = std::move(*parsed);
  FailureOr<int64_t> dim = scope.getDim(input, inputLoc);
  FailureOr<std::string> text = scope.toNodes(input, inputLoc);
  if (failed(dim) || failed(text))
    return failure();
  inputDim = *dim;
  inputText = std::move(*text);
  return success();
}

FailureOr<Layer> Layer::read(ConfigLine &line, LayerScope &scope) {
  Layer layer(line.getWordLoc());
  layer.type = findLayerType(line.getWord());
  if (!layer.type) {
    llvm::StringRef similar = findSimilarLayerType(line.getWord());
    InFlightDiagnostic diag = mlir::emitError(layer.loc)
                              << "unknown type of layer "
                              << quoteForMessage(line.getWord());
    if (!similar.empty())
      diag << "; is it '" << similar << "'?";
    return diag;
  }
  if (failed(layer.readName(line)))
    return failure();
  for (LayerKeys group : layer.type->keys)
    for (const LayerKey &key : group)
      if (failed(layer.readKey(line, key)))
        return failure();
  if (layer.type->name != "input" && failed(layer.readInput(line, scope)))
    return failure();
  if (failed(line.verifyAllUsed(layer.type->name)))
    return failure();
  return layer;
}

Layer Layer::makeExisting(llvm::StringRef name, int64_t dim, Location loc) {
  Layer layer(loc);
  layer.name = name.str();
  layer.setOutput(name, dim);
  layer.used = true;
  return layer;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

/// Writes a value, in quotes if necessary.
static void writeValue(llvm::StringRef value, llvm::raw_ostream &os) {
  bool quoted = value.empty() || value.contains('=') ||
                value.find_first_of(" \t") != llvm::StringRef::npos;
  os << (quoted ? "\"" : "") << value << (quoted ? "\"" : "");
}

std::string Layer::toText(bool descriptors) const {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << type->name << " name=" << name;
  if (type->name != "input") {
    os << " input=";
    if (descriptors)
      print(input, os);
    else
      os << inputSource;
  }
  for (const Setting &setting : settings) {
    os << ' ' << setting.key->name << '=';
    writeValue(setting.text, os);
  }
  return text;
}

} // namespace mlir::nnet3::xconfig
