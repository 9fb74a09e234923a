//===- ComponentReader.cpp - Component lines of configs -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ComponentReader.h"

#include "ComponentTable.h"
#include "NamedFile.h"
#include "Numbers.h"
#include "nnet3/Kaldi/IO/KaldiError.h"

#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>

using namespace ::nnet3::kaldi;

using mlir::Attribute;
using mlir::failed;
using mlir::failure;
using mlir::FailureOr;
using mlir::Location;
using mlir::LogicalResult;
using mlir::NamedAttrList;
using mlir::Operation;
using mlir::succeeded;
using mlir::success;

namespace mlir::nnet3 {

namespace {

/// Reads the keys of one component line.
class ComponentReader {
public:
  ComponentReader(ConfigLine &line, const ComponentConfig &config,
                  llvm::StringRef name, OpBuilder &builder)
      : line(line), config(config), name(name), builder(builder) {}

  Operation *read(Location loc);

private:
  LogicalResult readKey(const ConfigKey &key);
  FailureOr<Attribute> readValue(const ConfigKey &key,
                                 const ConfigValue &value);
  FailureOr<Attribute> readList(const ConfigValue &value);
  FailureOr<Attribute> readPairs(const ConfigValue &value);
  FailureOr<Attribute> readBool(const ConfigValue &value);
  LogicalResult readFileDims();
  LogicalResult setDim(llvm::StringRef attribute, int64_t dim);
  LogicalResult readEqualGroups();
  LogicalResult readOffsets();
  LogicalResult readGroup();
  LogicalResult takeComponents();
  LogicalResult readComponents(Operation *op);
  LogicalResult verifyRequired();
  LogicalResult verifyOperation(Operation *op);
  InFlightDiagnostic expected(const ConfigValue &value,
                              const llvm::Twine &what) {
    return emitError(line.getLoc(value)) << "expects " << what << ", but got "
                                         << quoteForMessage(value.value);
  }

  ConfigLine &line;
  const ComponentConfig &config;
  llvm::StringRef name;
  OpBuilder &builder;
  /// The value of the key for the parameter file, if it is given.
  const ConfigValue *file = nullptr;
  NamedAttrList attributes;
  NamedAttrList init;
  /// The config lines of the op's components.
  llvm::SmallVector<const ConfigValue *> components;
};

} // namespace

/// Returns the condition of `range` that `value` violates; empty if there is
/// none.
static llvm::StringRef getViolation(KeyRange range, double value) {
  switch (range) {
  case KeyRange::Any:
    return std::isnan(value) ? "a number" : "";
  case KeyRange::Positive:
    return value > 0 ? "" : "positive";
  case KeyRange::NonNegative:
    return value >= 0 ? "" : "not negative";
  case KeyRange::UpToTenth:
    return value >= 0 && value <= 0.1 ? "" : "between 0 and 0.1";
  case KeyRange::UpToQuarter:
    return value >= 0 && value <= 0.25 ? "" : "between 0 and 0.25";
  case KeyRange::UpToOne:
    return value >= 0 && value <= 1 ? "" : "between 0 and 1";
  }
  llvm_unreachable("all ranges are listed");
}

FailureOr<Attribute> ComponentReader::readList(const ConfigValue &value) {
  llvm::SmallVector<int64_t> numbers;
  llvm::SmallVector<llvm::StringRef> fields;
  llvm::SplitString(value.value, fields, ",:");
  for (llvm::StringRef field : fields) {
    std::optional<int32_t> number = parseInteger(field.trim(" \t"));
    if (!number)
      return expected(value, "a list of integers as " + value.key);
    numbers.push_back(*number);
  }
  return Attribute(builder.getDenseI64ArrayAttr(numbers));
}

FailureOr<Attribute> ComponentReader::readPairs(const ConfigValue &value) {
  llvm::SmallVector<int64_t> numbers;
  llvm::SmallVector<llvm::StringRef> pairs;
  llvm::SplitString(value.value, pairs, ";");
  for (llvm::StringRef pair : pairs) {
    auto [first, second] = pair.split(',');
    for (llvm::StringRef field : {first, second}) {
      std::optional<int32_t> number = parseInteger(field.trim(" \t"));
      if (!number)
        return expected(value,
                        "pairs of integers, as in '-1,0;1,0', as " + value.key);
      numbers.push_back(*number);
    }
  }
  return Attribute(builder.getDenseI64ArrayAttr(numbers));
}

FailureOr<Attribute> ComponentReader::readBool(const ConfigValue &value) {
  // As in Kaldi, only the first character matters.
  switch (value.value.empty() ? '\0' : value.value.front()) {
  case 't':
  case 'T':
    return Attribute(builder.getBoolAttr(true));
  case 'f':
  case 'F':
    return Attribute(builder.getBoolAttr(false));
  default:
    return expected(value, "true or false as " + value.key);
  }
}

/// Returns the attribute for `value`; null if the value means the default.
FailureOr<Attribute> ComponentReader::readValue(const ConfigKey &key,
                                                const ConfigValue &value) {
  std::optional<double> number;
  switch (key.kind) {
  case KeyKind::Int:
    number = parseInteger(value.value);
    if (!number)
      return expected(value, "an integer as " + value.key);
    break;
  case KeyKind::Float:
    number = parseReal(value.value);
    if (!number)
      return expected(value, "a number as " + value.key);
    break;
  case KeyKind::Bool:
    return readBool(value);
  case KeyKind::IntList:
    return readList(value);
  case KeyKind::PairList:
    return readPairs(value);
  case KeyKind::Word:
  case KeyKind::File:
    return Attribute(builder.getStringAttr(value.value));
  }
  if ((key.flags & NegativeIsDefault) && *number < 0)
    return Attribute();
  llvm::StringRef violation = getViolation(key.range, *number);
  if (!violation.empty())
    return expected(value, value.key + " to be " + violation);
  if (key.kind == KeyKind::Int)
    return Attribute(builder.getI64IntegerAttr(static_cast<int64_t>(*number)));
  if (key.flags & Init)
    return Attribute(builder.getF64FloatAttr(*number));
  return Attribute(builder.getF32FloatAttr(static_cast<float>(*number)));
}

LogicalResult ComponentReader::readKey(const ConfigKey &key) {
  const ConfigValue *value = line.take(key.key);
  if (!value)
    return success();
  if (file && (key.flags & NotWithFile))
    return emitError(line.getLoc(value->keyColumn))
           << "key '" << value->key << "' has no meaning together with '"
           << file->key << "'";
  FailureOr<Attribute> attribute = readValue(key, *value);
  if (failed(attribute))
    return failure();
  if (!*attribute)
    return success();
  NamedAttrList &list = (key.flags & Init) ? init : attributes;
  if (list.set(key.attribute, *attribute))
    return emitError(line.getLoc(value->keyColumn))
           << "key '" << value->key << "' is another name of a key given "
           << "already";
  return success();
}

/// Sets a dim from the parameter file, or checks the one that was given.
LogicalResult ComponentReader::setDim(llvm::StringRef attribute, int64_t dim) {
  IntegerAttr value = builder.getI64IntegerAttr(dim);
  auto given = llvm::dyn_cast_or_null<IntegerAttr>(attributes.get(attribute));
  attributes.set(attribute, value);
  if (!given || given == value)
    return success();
  std::string key = attribute.str();
  llvm::replace(key, '_', '-');
  return emitError(line.getLoc(*file))
         << "expects " << key << " " << given.getInt() << ", but '"
         << file->value << "' has " << dim;
}

LogicalResult ComponentReader::readFileDims() {
  FailureOr<Matrix> matrix = readNamedMatrix(file->value, line.getLoc(*file));
  if (failed(matrix))
    return failure();
  switch (config.fileDims) {
  case FileDims::NoFile:
    break;
  case FileDims::Affine:
    return success(succeeded(setDim("input_dim", matrix->cols - 1)) &&
                   succeeded(setDim("output_dim", matrix->rows)));
  case FileDims::Linear:
    return success(succeeded(setDim("input_dim", matrix->cols)) &&
                   succeeded(setDim("output_dim", matrix->rows)));
  case FileDims::Filters:
    return setDim("num_filters", matrix->rows);
  case FileDims::Vector:
  case FileDims::BlockVector:
    if (matrix->rows != 1)
      return expected(*file, "a file that holds a vector");
    if (config.fileDims == FileDims::Vector || !attributes.get("dim"))
      return setDim("dim", matrix->cols);
    if (attributes.get("dim") != builder.getI64IntegerAttr(matrix->cols))
      return setDim("block_dim", matrix->cols);
    return success();
  }
  return success();
}

/// Reads `input-dim` and `output-dim` instead of a list of sizes.
LogicalResult ComponentReader::readEqualGroups() {
  if (attributes.get("sizes"))
    return success();
  // The list has output-dim elements. More groups than any layer has units
  // would only exhaust memory.
  constexpr int64_t kMaxGroups = 1 << 20;
  FailureOr<int64_t> in = line.requireInteger("input-dim", 1, config.type);
  if (failed(in))
    return failure();
  FailureOr<int64_t> out = line.requireInteger("output-dim", 1, config.type);
  if (failed(out))
    return failure();
  if (*in % *out != 0 || *out > kMaxGroups)
    return expected(*line.take("output-dim"),
                    "output-dim to divide input-dim " + llvm::Twine(*in) +
                        " and to be at most " + llvm::Twine(kMaxGroups));
  llvm::SmallVector<int64_t> sizes(*out, *in / *out);
  attributes.set("sizes", builder.getDenseI64ArrayAttr(sizes));
  return success();
}

/// Reads pairs of a time and a height, given as two lists or as pairs; sorts
/// them and the required times.
LogicalResult ComponentReader::readOffsets() {
  std::vector<std::pair<int64_t, int64_t>> offsets;
  if (auto given = llvm::dyn_cast_or_null<DenseI64ArrayAttr>(
          attributes.get("offsets"))) {
    for (int64_t i = 0; i < given.size(); i += 2)
      offsets.push_back({given[i], given[i + 1]});
  } else {
    const ConfigValue *values[2] = {line.take("time-offsets"),
                                    line.take("height-offsets")};
    if (!values[0] || !values[1])
      return emitError(line.getWordLoc())
             << "component '" << name << "' of type " << config.type
             << " has neither offsets nor time-offsets and height-offsets";
    FailureOr<Attribute> times = readList(*values[0]);
    FailureOr<Attribute> heights = readList(*values[1]);
    if (failed(times) || failed(heights))
      return failure();
    for (int64_t time : llvm::cast<DenseI64ArrayAttr>(*times).asArrayRef())
      for (int64_t height :
           llvm::cast<DenseI64ArrayAttr>(*heights).asArrayRef())
        offsets.push_back({time, height});
  }
  llvm::sort(offsets);
  llvm::SmallVector<int64_t> flat;
  for (auto [time, height] : offsets)
    llvm::append_values(flat, time, height);
  attributes.set("offsets", builder.getDenseI64ArrayAttr(flat));
  if (auto required = llvm::dyn_cast_or_null<DenseI64ArrayAttr>(
          attributes.get("required_time_offsets"))) {
    llvm::SmallVector<int64_t> times(required.asArrayRef());
    llvm::sort(times);
    attributes.set("required_time_offsets",
                   builder.getDenseI64ArrayAttr(times));
  }
  return success();
}

/// Finds the lines of the op's components.
LogicalResult ComponentReader::takeComponents() {
  FailureOr<int64_t> count =
      line.requireInteger("num-components", 1, config.type);
  if (failed(count))
    return failure();
  for (int64_t i = 1; i <= *count; ++i) {
    std::string key = "component" + std::to_string(i);
    const ConfigValue *value = line.require(key, config.type);
    if (!value)
      return failure();
    components.push_back(value);
  }
  return success();
}

LogicalResult ComponentReader::readGroup() {
  switch (config.group) {
  case KeyGroup::None:
    return success();
  case KeyGroup::EqualGroups:
    return readEqualGroups();
  case KeyGroup::Offsets:
    return readOffsets();
  case KeyGroup::Components:
    return takeComponents();
  }
  llvm_unreachable("all groups are listed");
}

/// Builds the components of `op` in its body.
LogicalResult ComponentReader::readComponents(Operation *op) {
  OpBuilder inner(op->getContext());
  inner.setInsertionPointToEnd(&op->getRegion(0).emplaceBlock());
  for (const ConfigValue *value : components) {
    FailureOr<ConfigLine> nested = line.parseValueOf(*value);
    if (failed(nested))
      return failure();
    if (!nested->getWord().empty())
      return emitError(nested->getWordLoc())
             << "expects only 'key=value' in " << value->key << ", but got "
             << quoteForMessage(nested->getWord());
    ConfigValue nestedName;
    nestedName.value = value->key;
    nestedName.valueColumn = 1;
    if (!readComponent(*nested, nestedName, inner))
      return failure();
  }
  return success();
}

LogicalResult ComponentReader::verifyRequired() {
  for (const ConfigKey &key : config.keys)
    if ((key.flags & Required) && !attributes.get(key.attribute))
      return emitError(line.getWordLoc())
             << "component '" << name << "' of type " << config.type
             << " has no " << key.key;
  return line.verifyAllUsed(config.type);
}

/// Verifies the operation and reports errors at the related key, with the
/// config's names.
LogicalResult ComponentReader::verifyOperation(Operation *op) {
  std::string message;
  {
    ScopedDiagnosticHandler handler(op->getContext(), [&](Diagnostic &diag) {
      if (message.empty())
        message = diag.str();
      return success();
    });
    if (succeeded(verify(op)))
      return success();
  }
  llvm::StringRef text = message;
  text.consume_front("'" + op->getName().getStringRef().str() + "' op ");
  // Take the key with the longest name (or its singular) that the message
  // contains.
  std::string inWords = text.str();
  llvm::replace(inWords, '_', ' ');
  Location loc = op->getLoc();
  size_t longest = 0;
  for (const ConfigKey &key : config.keys) {
    std::string words = key.attribute.rtrim('s').str();
    llvm::replace(words, '_', ' ');
    const ConfigValue *value = line.take(key.key);
    if (!value || words.size() <= longest ||
        !llvm::StringRef(inWords).contains(words))
      continue;
    longest = words.size();
    loc = line.getLoc(*value);
  }
  // Attributes are spelled with `_`, keys with `-`.
  std::string shown = text.str();
  llvm::replace(shown, '_', '-');
  return emitError(loc) << shown;
}

Operation *ComponentReader::read(Location loc) {
  if (const ConfigKey *fileKey = config.getFileKey())
    file = line.take(fileKey->key);
  for (const ConfigKey &key : config.keys)
    if (failed(readKey(key)))
      return nullptr;
  if (file && failed(readFileDims()))
    return nullptr;
  if (failed(readGroup()))
    return nullptr;
  if (failed(verifyRequired()))
    return nullptr;

  if (!init.empty())
    attributes.set("init", init.getDictionary(builder.getContext()));
  attributes.set(SymbolTable::getSymbolAttrName(), builder.getStringAttr(name));
  OperationState state(loc, config.operation);
  if (!components.empty())
    state.addRegion();
  Operation *op = builder.create(state);
  for (NamedAttribute attribute : attributes)
    op->setAttr(attribute.getName(), attribute.getValue());
  if (!components.empty() && failed(readComponents(op)))
    return nullptr;
  if (failed(verifyOperation(op)))
    return nullptr;
  return op;
}

Operation *readComponent(ConfigLine &line, const ConfigValue &name,
                         OpBuilder &builder) {
  const ConfigValue *type =
      line.require("type", "component '" + name.value + "'");
  if (!type)
    return nullptr;
  const ComponentConfig *config = findComponentConfig(type->value);
  if (config)
    return ComponentReader(line, *config, name.value, builder)
        .read(line.getLoc(name));
  emitError(line.getLoc(*type))
      << "unknown component type " << quoteForMessage(type->value);
  return nullptr;
}

} // namespace mlir::nnet3
