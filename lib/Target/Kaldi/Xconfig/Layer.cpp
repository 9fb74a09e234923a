//===- Layer.cpp - One layer of an xconfig --------------------------------===//

#include "Layer.h"

#include "../Config/Numbers.h"
#include "LayerScope.h"
#include "nnet3/Target/Kaldi/DescriptorParser.h"
#include "nnet3/Target/Kaldi/KaldiError.h"

#include "llvm/Support/raw_ostream.h"
#include <cmath>

using mlir::failed;
using mlir::failure;
using mlir::FailureOr;
using mlir::Location;
using mlir::LogicalResult;
using mlir::success;

namespace nnet3::xconfig {

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// What `range` asks for and a number is not; empty if it is in the range.
static llvm::StringRef getViolation(Range range, double value) {
  switch (range) {
  case Range::Any:
  case Range::Objective:
    return std::isnan(value) ? "a number" : "";
  case Range::Positive:
    return value > 0 ? "" : "positive";
  case Range::NonNegative:
    return value >= 0 ? "" : "not negative";
  case Range::Nonzero:
    return value < 0 || value > 0 ? "" : "not zero";
  case Range::WithinOne:
    return value >= -1 && value <= 1 ? "" : "between -1 and 1";
  case Range::ProportionOrNone:
    if (value == -1)
      return "";
    [[fallthrough]];
  case Range::Proportion:
    return value >= 0 && value <= 1 ? "" : "between 0 and 1";
  }
  llvm_unreachable("all ranges are listed");
}

/// What the kind of `key` is called in messages.
static llvm::StringRef describe(ValueKind kind) {
  switch (kind) {
  case ValueKind::Int:
    return "an integer";
  case ValueKind::Float:
    return "a number";
  case ValueKind::Bool:
    return "true or false";
  case ValueKind::Text:
    return "text";
  }
  llvm_unreachable("all kinds are listed");
}

/// Gives `setting` the value that is written as `text`; false if it is not of
/// the key's kind.
static bool assign(Setting &setting, llvm::StringRef text) {
  std::optional<double> number;
  switch (setting.key->kind) {
  case ValueKind::Text:
    setting.text = text.str();
    return true;
  case ValueKind::Bool:
    if (text == "true" || text == "True")
      number = 1;
    else if (text == "false" || text == "False")
      number = 0;
    setting.text = number == 1.0 ? "true" : "false";
    break;
  case ValueKind::Int:
    number = parseInteger(text);
    if (number)
      setting.text = std::to_string(static_cast<int64_t>(*number));
    break;
  case ValueKind::Float:
    number = parseReal(text);
    if (number)
      setting.text = formatReal(*number);
    break;
  }
  setting.number = number.value_or(0);
  return number.has_value();
}

std::string formatReal(double value) {
  std::string text = llvm::StringRef(formatDouble(value)).str();
  if (!std::isfinite(value))
    return text;
  // As Python prints numbers: with an exponent only far from one.
  double magnitude = std::fabs(value);
  if (magnitude == 0 || (magnitude >= 1e-4 && magnitude < 1e16))
    text = formatFixed(value);
  bool isWhole = text.find_first_of(".e") == std::string::npos;
  return isWhole ? text + ".0" : text;
}

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
  Setting &setting = settings.emplace_back(Setting{&key, "", 0, loc});
  assign(setting, key.defaultValue);
  setting.isDefault = true;
  if (!value) {
    if (!key.required)
      return success();
    return mlir::emitError(loc)
           << type->name << " '" << name << "' has no " << key.name;
  }
  std::string defaultText = setting.text;
  setting.loc = line.getLoc(*value);
  setting.given = true;
  if (!assign(setting, value->value))
    return mlir::emitError(setting.loc)
           << "expects " << describe(key.kind) << " as " << key.name
           << ", but got " << quoteForMessage(value->value);
  setting.isDefault = !key.required && setting.text == defaultText;
  if (key.range == Range::Objective && setting.text != "linear" &&
      setting.text != "quadratic")
    return expected(key.name, "linear or quadratic");
  if (key.kind == ValueKind::Text || setting.isDefault)
    return success();
  llvm::StringRef violation = getViolation(key.range, setting.number);
  return violation.empty() ? success() : expected(key.name, violation);
}

LogicalResult Layer::readInput(ConfigLine &line, LayerScope &scope) {
  const ConfigValue *value = line.take("input");
  inputSource = value ? value->value.str() : "[-1]";
  if (value)
    inputLoc = line.getLoc(*value);
  FailureOr<mlir::nnet3::Descriptor> parsed =
      scope.parse(inputSource, [&](size_t offset) -> mlir::LocationAttr {
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
    mlir::InFlightDiagnostic diag = mlir::emitError(layer.loc)
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

/// A value as it can be read again.
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

} // namespace nnet3::xconfig
