//===- ModuleJson.cpp - Operations as JSON --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Target/Json/ModuleJson.h"
#include "nnet3/Target/Kaldi/TensorData.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/OpImplementation.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/EndianStream.h"
#include <optional>

using namespace mlir;
using namespace mlir::nnet3;
namespace json = llvm::json;

std::optional<uint64_t> TensorFile::add(ElementsAttr tensor) {
  std::vector<float> storage;
  if (!getTensorData(tensor, storage))
    return std::nullopt;
  const uint64_t offset = size;
  tensors.push_back(tensor);
  size += tensor.getNumElements();
  return offset;
}

void TensorFile::write(llvm::raw_ostream &os) const {
  for (ElementsAttr tensor : tensors) {
    std::vector<float> storage;
    llvm::support::endian::Writer writer(os, llvm::endianness::little);
    const std::optional<ArrayRef<float>> elements =
        getTensorData(tensor, storage);
    for (float value : *elements)
      writer.write(value);
  }
}

template <typename T> static std::string print(const T &object) {
  std::string text;
  llvm::raw_string_ostream(text) << object;
  return json::fixUTF8(text);
}

namespace {
/// Describes the operations of a module.
class Describer {
public:
  explicit Describer(TensorFile &tensors) : tensors(tensors) {}

  json::Value describe(Operation *op);

private:
  json::Value describe(Attribute attribute);
  json::Value describe(ElementsAttr tensor);
  json::Object describeAttributes(Operation *op);
  json::Object describeValue(Value value);
  json::Array describe(Region &region);
  /// Returns the number of a value, which may be used before its definition.
  int64_t getNumber(Value value) {
    return numbers.try_emplace(value, numbers.size()).first->second;
  }

  TensorFile &tensors;
  llvm::DenseMap<Value, int64_t> numbers; // not iterated
};
} // namespace

json::Value Describer::describe(ElementsAttr tensor) {
  json::Object result{
      {"type", print(tensor.getShapedType())},
      {"shape", json::Array(tensor.getShapedType().getShape())}};
  if (std::optional<uint64_t> offset = tensors.add(tensor))
    result["offset"] = *offset;
  return result;
}

json::Value Describer::describe(Attribute attribute) {
  return llvm::TypeSwitch<Attribute, json::Value>(attribute)
      .Case([](BoolAttr value) { return value.getValue(); })
      .Case([](UnitAttr) { return true; })
      .Case([](IntegerAttr value) {
        return value.getValue().getSignificantBits() <= 64
                   ? json::Value(value.getValue().getSExtValue())
                   : json::Value(print(value));
      })
      .Case([](FloatAttr value) -> json::Value {
        const double number = value.getValueAsDouble();
        if (std::isfinite(number)) // JSON has no infinities and NaNs
          return number;
        return print(value);
      })
      .Case([](StringAttr value) { return json::fixUTF8(value.getValue()); })
      .Case([&](ArrayAttr values) {
        json::Array result;
        for (Attribute value : values)
          result.push_back(describe(value));
        return result;
      })
      .Case([&](DictionaryAttr values) {
        json::Object result;
        for (NamedAttribute value : values)
          result[value.getName().strref()] = describe(value.getValue());
        return result;
      })
      .Case([&](DenseArrayAttr) { return print(attribute); })
      .Case([&](ElementsAttr tensor) { return describe(tensor); })
      .Default([](Attribute other) { return print(other); });
}

json::Object Describer::describeAttributes(Operation *op) {
  json::Object result;
  for (NamedAttribute attribute : op->getAttrDictionary())
    result[attribute.getName().strref()] = describe(attribute.getValue());
  return result;
}

json::Object Describer::describeValue(Value value) {
  return json::Object{{"id", getNumber(value)},
                      {"type", print(value.getType())}};
}

json::Array Describer::describe(Region &region) {
  json::Array blocks;
  for (Block &block : region) {
    json::Array arguments, operations;
    for (Value argument : block.getArguments())
      arguments.push_back(describeValue(argument));
    for (Operation &op : block)
      operations.push_back(describe(&op));
    blocks.push_back(json::Object{{"arguments", std::move(arguments)},
                                  {"operations", std::move(operations)}});
  }
  return blocks;
}

json::Value Describer::describe(Operation *op) {
  json::Array operands, results, regions;
  for (Value operand : op->getOperands())
    operands.push_back(getNumber(operand));
  for (Value result : op->getResults())
    results.push_back(describeValue(result));
  for (Region &region : op->getRegions())
    regions.push_back(describe(region));
  json::Object result{{"name", op->getName().getStringRef()},
                      {"attributes", describeAttributes(op)}};
  if (auto location = op->getLoc()->findInstanceOf<FileLineColLoc>())
    result["location"] =
        json::Object{{"file", json::fixUTF8(location.getFilename().strref())},
                     {"line", location.getLine()},
                     {"column", location.getColumn()}};
  if (!operands.empty())
    result["operands"] = std::move(operands);
  if (!results.empty())
    result["results"] = std::move(results);
  if (!regions.empty())
    result["regions"] = std::move(regions);
  return result;
}

json::Value mlir::nnet3::describeOperation(Operation *op, TensorFile &tensors) {
  return Describer(tensors).describe(op);
}
