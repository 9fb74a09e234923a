//===- AttributeEmitter.cpp - MLIR attributes as program data -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Target/Program/AttributeEmitter.h"

#include "nnet3/Dialect/Nnet3/IR/ComponentParts.h"
#include "nnet3/Target/Program/LoopedLists.h"

using namespace mlir;
using namespace mlir::nnet3;
namespace schema = ::nnet3::rt::schema;

using FlatBuilder = flatbuffers::FlatBufferBuilder;
using AttributeOffset = flatbuffers::Offset<schema::Attribute>;

namespace {
/// A member of the schema's union `Value`.
struct UnionValue {
  schema::Value type = schema::Value::NONE;
  flatbuffers::Offset<void> offset;
};
} // namespace

template <typename Range>
static UnionValue emitInts(FlatBuilder &builder, const Range &range) {
  std::vector<int64_t> values(range.begin(), range.end());
  return {schema::Value::IntsValue,
          schema::CreateIntsValueDirect(builder, &values).Union()};
}

static UnionValue emitText(FlatBuilder &builder, StringRef text) {
  return {schema::Value::StringValue,
          schema::CreateStringValueDirect(builder, text.str().c_str()).Union()};
}

static UnionValue emitRowTable(FlatBuilder &builder, RowTableAttr table) {
  const ListCode code = getRowList(table);
  return {schema::Value::LoopedIntsValue,
          schema::CreateLoopedIntsValueDirect(builder, &code).Union()};
}

/// Emits the value of a non-tensor attribute; its type is NONE if programs do
/// not support it.
static UnionValue emitValue(FlatBuilder &builder, Attribute attr) {
  if (isa<UnitAttr>(attr))
    return {schema::Value::BoolValue,
            schema::CreateBoolValue(builder, true).Union()};
  if (auto flag = dyn_cast<BoolAttr>(attr))
    return {schema::Value::BoolValue,
            schema::CreateBoolValue(builder, flag.getValue()).Union()};
  if (auto number = dyn_cast<IntegerAttr>(attr))
    return {schema::Value::IntValue,
            schema::CreateIntValue(builder, number.getValue().getSExtValue())
                .Union()};
  if (auto number = dyn_cast<FloatAttr>(attr))
    return {
        schema::Value::DoubleValue,
        schema::CreateDoubleValue(builder, number.getValueAsDouble()).Union()};
  if (auto text = dyn_cast<StringAttr>(attr))
    return emitText(builder, text);
  if (auto list = dyn_cast<DenseF64ArrayAttr>(attr)) {
    std::vector<double> values(list.asArrayRef());
    return {schema::Value::DoublesValue,
            schema::CreateDoublesValueDirect(builder, &values).Union()};
  }
  if (auto list = dyn_cast<DenseI64ArrayAttr>(attr))
    return emitInts(builder, list.asArrayRef());
  if (auto list = dyn_cast<DenseI32ArrayAttr>(attr))
    return emitInts(builder, list.asArrayRef());
  if (auto table = dyn_cast<RowTableAttr>(attr))
    return emitRowTable(builder, table);
  return {};
}

static UnionValue emitTensor(FlatBuilder &builder, ElementsAttr tensor,
                             uint64_t offset) {
  ArrayRef<int64_t> dims = tensor.getShapedType().getShape();
  std::vector<uint64_t> shape(dims.begin(), dims.end());
  return {schema::Value::Tensor,
          schema::CreateTensorDirect(builder, &shape, offset).Union()};
}

static AttributeOffset emitAttribute(FlatBuilder &builder, StringRef name,
                                     UnionValue value) {
  return schema::CreateAttributeDirect(builder, name.str().c_str(), value.type,
                                       value.offset);
}

/// Checks that every parameter that the forward pass needs has values.
static LogicalResult checkParameters(ComponentOpInterface component) {
  for (const auto &spec : component.getTensors())
    if (spec.isParameter && !component->getAttr(spec.name))
      return component->emitError("component '")
             << SymbolTable::getSymbolName(component).getValue()
             << "' has no values for '" << spec.name
             << "': the network is not initialised";
  return success();
}

/// Emits the attributes of a component, or of a part of `owner`; `prefix`
/// precedes their names.
static LogicalResult emitAttributes(FlatBuilder &builder,
                                    ComponentOpInterface component,
                                    StringAttr owner, StringRef prefix,
                                    const ParameterBlob &parameters,
                                    std::vector<AttributeOffset> &attributes) {
  if (failed(checkParameters(component)))
    return failure();
  for (NamedAttribute attr : component->getAttrDictionary()) {
    StringRef key = attr.getName();
    // `init` is only used to initialise parameters.
    if (key == SymbolTable::getSymbolAttrName() || key == "init")
      continue;
    auto name = StringAttr::get(component->getContext(), prefix + key);
    UnionValue value;
    if (auto offset = parameters.getOffset(owner, name))
      value = emitTensor(builder, cast<ElementsAttr>(attr.getValue()), *offset);
    else
      value = emitValue(builder, attr.getValue());
    if (value.type == schema::Value::NONE)
      return component->emitError("attribute '")
             << key << "' cannot be part of a program";
    attributes.push_back(emitAttribute(builder, name, value));
  }
  return success();
}

namespace mlir::nnet3 {

FailureOr<flatbuffers::Offset<schema::Component>>
emitComponent(FlatBuilder &builder, ComponentOpInterface component,
              const ParameterBlob &parameters) {
  StringAttr name = getPath(component);
  std::vector<AttributeOffset> attributes;
  int64_t numParts = 0;
  LogicalResult result = success();
  forEachPart(component, [&](ComponentOpInterface part, StringRef prefix) {
    if (succeeded(result))
      result =
          emitAttributes(builder, part, name, prefix, parameters, attributes);
    if (part == component)
      return;
    ++numParts;
    attributes.push_back(emitAttribute(builder, (prefix + "type").str(),
                                       emitText(builder, part.getKaldiType())));
  });
  if (failed(result))
    return failure();
  if (numParts > 0)
    attributes.push_back(
        emitAttribute(builder, "num_components",
                      {schema::Value::IntValue,
                       schema::CreateIntValue(builder, numParts).Union()}));
  return schema::CreateComponentDirect(builder, name.str().c_str(),
                                       component.getKaldiType().str().c_str(),
                                       &attributes);
}

FailureOr<flatbuffers::Offset<schema::Precomputed>>
emitPrecomputed(FlatBuilder &builder, Operation *op,
                DictionaryAttr precomputed) {
  std::vector<AttributeOffset> attributes;
  for (NamedAttribute attr : precomputed) {
    UnionValue value = emitValue(builder, attr.getValue());
    if (value.type == schema::Value::NONE)
      return op->emitError("precomputed '")
             << attr.getName().getValue() << "' cannot be part of a program";
    attributes.push_back(emitAttribute(builder, attr.getName(), value));
  }
  return schema::CreatePrecomputedDirect(builder, &attributes);
}

} // namespace mlir::nnet3
