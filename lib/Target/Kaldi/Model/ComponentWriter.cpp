//===- ComponentWriter.cpp - Writing components of models -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ComponentWriter.h"
#include "nnet3/Dialect/Nnet3/IR/Nnet3Dialect.h"
#include "nnet3/Target/Kaldi/TensorData.h"
#include <limits>

using namespace ::nnet3::kaldi;
using namespace mlir;
using mlir::nnet3::ComponentOpInterface;
using mlir::nnet3::TensorSpec;

namespace mlir::nnet3 {

using K = TokenKind;

static bool isTensor(const TokenField &field) {
  return field.kind == K::Vector || field.kind == K::Matrix;
}

static bool isInt(const TokenField &field) {
  return field.kind == K::Int || field.kind == K::IntPair;
}

/// Returns the attribute, or the value that a missing attribute stands for.
static Attribute getValue(Operation *op, const TokenField &field,
                          StringRef name) {
  Attribute value = op->getAttr(name);
  return value || !field.unset ? value : field.unset(op, name);
}

static int64_t getInt(Operation *op, const TokenField &field, StringRef name) {
  auto value = dyn_cast_or_null<IntegerAttr>(getValue(op, field, name));
  return value ? value.getInt() : 0;
}

static float getFloat(Operation *op, const TokenField &field, StringRef name) {
  return cast<FloatAttr>(getValue(op, field, name)).getValue().convertToFloat();
}

static SmallVector<int64_t> getInts(Operation *op, const TokenField &field) {
  return SmallVector<int64_t>(
      cast<DenseI64ArrayAttr>(getValue(op, field, field.attribute))
          .asArrayRef());
}

static auto getParts(Operation *op) {
  return op->getRegion(0).front().getOps<ComponentOpInterface>();
}

/// Returns a number or bool attribute as a double.
static double getNumber(Operation *op, const TokenField &field) {
  Attribute value = op->getAttr(field.attribute);
  if (auto number = dyn_cast_or_null<FloatAttr>(value))
    return number.getValueAsDouble();
  if (auto truth = dyn_cast_or_null<BoolAttr>(value))
    return truth.getValue();
  return getInt(op, field, field.attribute);
}

static bool isWritten(Operation *op, const TokenField &field, bool previous) {
  if (field.relation == TokenRelation::WithPrevious && !previous)
    return false;
  switch (field.when) {
  case TokenWhen::Always:
    return true;
  case TokenWhen::Never:
    return false;
  case TokenWhen::IfNotDefault:
    // This form treats NaN as different from the default.
    return !(getNumber(op, field) == *field.absentValue);
  case TokenWhen::IfSet:
    break;
  }
  Attribute value = op->getAttr(field.attribute);
  return value && !(field.unset && value == field.unset(op, field.attribute));
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

/// verifyComponentOp has checked the shape; this checks that there is data.
static LogicalResult checkTensor(Operation *op, const TokenField &field) {
  auto tensor = op->getAttrOfType<ElementsAttr>(field.attribute);
  if (!tensor && field.empty != EmptyTensor::Refused)
    return success();
  auto name = op->getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName());
  if (!tensor)
    return emitError(op->getLoc())
           << "component '" << name.getValue()
           << "' has no parameters; initialise it with --config-to-raw";
  std::vector<float> storage;
  if (!getTensorData(tensor, storage))
    return emitError(op->getLoc())
           << "component '" << name.getValue() << "': the elements of "
           << field.attribute << " are missing or of the wrong size";
  return success();
}

static LogicalResult checkInt(Operation *op, StringRef name, int64_t value) {
  if (value >= std::numeric_limits<int32_t>::min() &&
      value <= std::numeric_limits<int32_t>::max())
    return success();
  return op->emitOpError("expects ")
         << name << " to fit in 32 bits, but got " << value;
}

static LogicalResult checkField(Operation *op, const TokenField &field) {
  if (isTensor(field))
    return checkTensor(op, field);
  if (isInt(field)) {
    for (StringRef name : {field.attribute, field.second})
      if (!name.empty() && failed(checkInt(op, name, getInt(op, field, name))))
        return failure();
    return success();
  }
  if (field.kind == K::Components) {
    for (ComponentOpInterface part : getParts(op))
      if (failed(checkWritable(part)))
        return failure();
    return success();
  }
  if (auto array = op->getAttrOfType<DenseI64ArrayAttr>(field.attribute))
    for (int64_t value : array.asArrayRef())
      if (failed(checkInt(op, field.attribute, value)))
        return failure();
  return success();
}

LogicalResult checkWritable(Operation *op) {
  StringRef type = cast<ComponentOpInterface>(op).getKaldiType();
  const ComponentFormat *format = lookupComponentFormat(type);
  if (!format)
    return emitError(op->getLoc())
           << "component type '" << type << "' is not supported yet";
  for (const TokenField &field : format->fields)
    if (field.when != TokenWhen::Never && failed(checkField(op, field)))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// Returns the shape of the op's tensor, even if it is absent.
static SmallVector<int64_t, 2> getShape(Operation *op, StringRef attribute) {
  for (TensorSpec &spec : cast<ComponentOpInterface>(op).getTensors())
    if (spec.name == attribute)
      return spec.shape;
  return {0};
}

static void writeTensor(Operation *op, const TokenField &field,
                        KaldiWriter &writer) {
  std::vector<float> storage;
  ArrayRef<float> values;
  SmallVector<int64_t, 2> shape = {0, 0};
  if (auto tensor = op->getAttrOfType<ElementsAttr>(field.attribute)) {
    values = *getTensorData(tensor, storage);
    shape.assign(tensor.getShapedType().getShape().begin(),
                 tensor.getShapedType().getShape().end());
  } else if (field.empty == EmptyTensor::Zeros) {
    shape = getShape(op, field.attribute);
    storage.resize(ShapedType::getNumElements(shape));
    values = storage;
  }
  if (field.kind == K::Vector)
    writer.writeVector(values);
  else
    writer.writeMatrix(shape[0], shape[1], values);
}

static void writeIntVector(Operation *op, const TokenField &field,
                           KaldiWriter &writer) {
  SmallVector<int64_t> wide = getInts(op, field);
  std::vector<int32_t> values(wide.begin(), wide.end());
  writer.writeIntVector(values);
}

static void writeIntPairVector(Operation *op, const TokenField &field,
                               KaldiWriter &writer) {
  SmallVector<int64_t> values = getInts(op, field);
  std::vector<std::pair<int32_t, int32_t>> pairs;
  for (size_t i = 0; i + 1 < values.size(); i += 2)
    pairs.push_back({int32_t(values[i]), int32_t(values[i + 1])});
  writer.writeIntPairVector(pairs);
}

static void writeDoubles(Operation *op, const TokenField &field,
                         KaldiWriter &writer) {
  ArrayRef<double> values;
  if (auto array = op->getAttrOfType<DenseF64ArrayAttr>(field.attribute))
    values = array.asArrayRef();
  if (field.kind == K::DoubleVector)
    return writer.writeVector(values);
  int64_t rows = values.empty() ? 0 : getInt(op, field, field.second);
  writer.writeMatrix(rows, rows == 0 ? 0 : values.size() / rows, values);
}

static void writeComponents(Operation *op, KaldiWriter &writer) {
  writer.writeInt32(llvm::range_size(getParts(op)));
  for (ComponentOpInterface part : getParts(op))
    writeComponent(part, writer);
}

static void writeValue(Operation *op, const TokenField &field,
                       KaldiWriter &writer) {
  switch (field.kind) {
  case K::Flag:
    return;
  case K::Bool:
    return writer.writeBool(getNumber(op, field) != 0);
  case K::IntPair:
    writer.writeInt32(getInt(op, field, field.attribute));
    return writer.writeInt32(getInt(op, field, field.second));
  case K::Int:
    return writer.writeInt32(getInt(op, field, field.attribute));
  case K::FloatPair:
    writer.writeFloat(getFloat(op, field, field.attribute));
    return writer.writeFloat(getFloat(op, field, field.second));
  case K::Float:
    return writer.writeFloat(getFloat(op, field, field.attribute));
  case K::Double:
    return writer.writeDouble(getNumber(op, field));
  case K::Vector:
  case K::Matrix:
    return writeTensor(op, field, writer);
  case K::IntVector:
  case K::ColumnMap:
    return writeIntVector(op, field, writer);
  case K::IntPairVector:
    return writeIntPairVector(op, field, writer);
  case K::DoubleVector:
  case K::DoubleMatrix:
    return writeDoubles(op, field, writer);
  case K::Choice:
    return writer.writeInt32(
        StringRef(field.second)
            .ends_with(op->getAttrOfType<StringAttr>(field.attribute)));
  case K::Components:
    return writeComponents(op, writer);
  }
}

void writeComponent(Operation *op, KaldiWriter &writer) {
  StringRef type = cast<ComponentOpInterface>(op).getKaldiType();
  writer.writeToken(("<" + type + ">").str());
  bool previous = true;
  for (const TokenField &field : lookupComponentFormat(type)->fields) {
    previous = isWritten(op, field, previous);
    if (!previous)
      continue;
    writer.writeToken(field.token);
    writeValue(op, field, writer);
  }
  writer.writeToken(("</" + type + ">").str());
}

} // namespace mlir::nnet3
