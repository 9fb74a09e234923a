//===- ComponentReader.cpp - Reading components of models -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ComponentReader.h"
#include "mlir/IR/SymbolTable.h"
#include "nnet3/Target/Kaldi/Diagnostics.h"
#include "nnet3/Target/Kaldi/TensorData.h"
#include <cmath>

using namespace mlir::nnet3;
using namespace ::nnet3::kaldi;
using namespace mlir;
using K = TokenKind;

void ModelComponentReader::set(StringRef attribute, Attribute value) {
  if (!attribute.empty())
    attributes->list.set(attribute, value);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

LogicalResult ModelComponentReader::readInt(StringRef attribute) {
  int32_t value;
  if (failed(reader.readInt32(value)))
    return failure();
  set(attribute, builder.getI64IntegerAttr(value));
  return success();
}

LogicalResult ModelComponentReader::readChoice(const TokenField &field) {
  int32_t value;
  if (failed(reader.readInt32(value)))
    return failure();
  if (value != 0 && value != 1)
    return reader.fail("expects an " + field.token + " of 0 or 1, but got " +
                       Twine(value));
  auto [first, second] = StringRef(field.second).split(' ');
  set(field.attribute, builder.getStringAttr(value == 0 ? first : second));
  return success();
}

LogicalResult ModelComponentReader::readFloat(StringRef attribute) {
  float value;
  if (failed(reader.readFloat(value)))
    return failure();
  set(attribute, builder.getF32FloatAttr(value));
  return success();
}

/// The elements are copied once, from the file's buffer to the attribute's.
LogicalResult ModelComponentReader::readTensor(const TokenField &field) {
  FileLocation where = reader.getLocation();
  TensorStorage storage;
  LogicalResult result =
      field.kind == K::Vector
          ? reader.readVector(
                [&](int64_t dim) { return storage.allocate({dim}); })
          : reader.readMatrix([&](int64_t rows, int64_t cols) {
              return storage.allocate({rows, cols});
            });
  if (failed(result) || field.attribute.empty())
    return result;
  if (!storage.empty())
    set(field.attribute, storage.take(builder.getContext(),
                                      parent + name + "." + field.attribute));
  else if (field.empty != EmptyTensor::Unset)
    return reader.failAt(where, "expects values after " + field.token +
                                    ", but got none");
  return success();
}

/// Old files store permutations as floats, with a last entry that may be wrong
/// (spec: formats.md 5).
LogicalResult
ModelComponentReader::readFloatColumnMap(std::vector<int32_t> &values) {
  std::vector<float> floats;
  if (failed(reader.readVector(floats)))
    return failure();
  for (float value : floats) {
    if (!(std::abs(value) <= 1e9f))
      return reader.fail("expects column numbers in <ColumnMap>");
    values.push_back(std::lround(value));
  }
  if (!values.empty())
    values.back() = values.size() - 1;
  return success();
}

LogicalResult ModelComponentReader::readIntVector(const TokenField &field) {
  std::vector<int32_t> values;
  bool floats = field.kind == K::ColumnMap && reader.isBinary() &&
                reader.peekToken() == 'F';
  if (failed(floats ? readFloatColumnMap(values)
                    : reader.readIntVector(values)))
    return failure();
  SmallVector<int64_t> wide(values.begin(), values.end());
  set(field.attribute, builder.getDenseI64ArrayAttr(wide));
  return success();
}

LogicalResult ModelComponentReader::readIntPairVector(const TokenField &field) {
  std::vector<std::pair<int32_t, int32_t>> pairs;
  if (failed(reader.readIntPairVector(pairs)))
    return failure();
  SmallVector<int64_t> values;
  for (auto [first, second] : pairs)
    llvm::append_values(values, int64_t(first), int64_t(second));
  set(field.attribute, builder.getDenseI64ArrayAttr(values));
  return success();
}

LogicalResult ModelComponentReader::readDoubles(const TokenField &field) {
  FileLocation where = reader.getLocation();
  DoubleMatrix matrix;
  if (failed(field.kind == K::DoubleVector ? reader.readVector(matrix.data)
                                           : reader.readMatrix(matrix)))
    return failure();
  if (matrix.data.empty())
    return success();
  if (field.kind == K::DoubleMatrix &&
      matrix.rows != attributes->getInt(field.second))
    return reader.failAt(where, "expects " +
                                    Twine(attributes->getInt(field.second)) +
                                    " rows after " + field.token +
                                    ", but got " + Twine(matrix.rows));
  set(field.attribute, builder.getDenseF64ArrayAttr(matrix.data));
  return success();
}

/// Reads the parts of a composite component; parts cannot be composites.
LogicalResult ModelComponentReader::readComponents() {
  int32_t count;
  if (failed(reader.readInt32(count)))
    return failure();
  if (count < 1)
    return reader.fail("expects at least one component, but got " +
                       Twine(count));
  if (!parent.empty())
    return reader.fail("a composite component cannot be part of another");
  body = std::make_unique<Region>();
  OpBuilder inner(builder.getContext());
  inner.setInsertionPointToEnd(&body->emplaceBlock());
  for (int32_t i = 1; i <= count; ++i) {
    Location loc = getFileLocation(builder.getContext(), reader.getName(),
                                   reader.getLocation());
    if (!ModelComponentReader(reader, inner, name + ".")
             .read(("component" + Twine(i)).str(), loc))
      return failure();
  }
  return success();
}

LogicalResult ModelComponentReader::readValue(const TokenField &field) {
  bool truth = true;
  double number;
  switch (field.kind) {
  case K::Flag:
    break;
  case K::Bool:
    if (failed(reader.readBool(truth)))
      return failure();
    break;
  case K::Int:
    return readInt(field.attribute);
  case K::IntPair:
    return success(succeeded(readInt(field.attribute)) &&
                   succeeded(readInt(field.second)));
  case K::Float:
    if (failed(readFloat(field.attribute)))
      return failure();
    set(field.second, attributes->list.get(field.attribute));
    return success();
  case K::FloatPair:
    return success(succeeded(readFloat(field.attribute)) &&
                   succeeded(readFloat(field.second)));
  case K::Double:
    if (failed(reader.readDouble(number)))
      return failure();
    set(field.attribute, builder.getF64FloatAttr(number));
    return success();
  case K::Vector:
  case K::Matrix:
    return readTensor(field);
  case K::IntVector:
  case K::ColumnMap:
    return readIntVector(field);
  case K::IntPairVector:
    return readIntPairVector(field);
  case K::DoubleVector:
  case K::DoubleMatrix:
    return readDoubles(field);
  case K::Choice:
    return readChoice(field);
  case K::Components:
    return readComponents();
  }
  set(field.attribute, builder.getBoolAttr(truth));
  return success();
}

void ModelComponentReader::setAbsent(const TokenField &field) {
  if (!field.absentValue)
    return;
  if (field.kind == K::Float)
    set(field.attribute, builder.getF32FloatAttr(*field.absentValue));
  else if (field.kind == K::Double)
    set(field.attribute, builder.getF64FloatAttr(*field.absentValue));
  else if (field.kind == K::Int)
    set(field.attribute, builder.getI64IntegerAttr(*field.absentValue));
  else
    set(field.attribute, builder.getBoolAttr(*field.absentValue != 0));
}

//===----------------------------------------------------------------------===//
// Components
//===----------------------------------------------------------------------===//

LogicalResult ModelComponentReader::readFields(const ComponentFormat &format) {
  bool previous = true;
  StringRef previousToken;
  for (const TokenField &field : format.fields) {
    bool mayCome = field.relation == TokenRelation::None ||
                   previous == (field.relation == TokenRelation::WithPrevious);
    previous = mayCome && reader.consumeToken(field.token);
    if (previous && failed(readValue(field)))
      return failure();
    if (!previous) {
      if (mayCome && !field.mayLack)
        return reader.expectToken(field.relation ==
                                          TokenRelation::InsteadOfPrevious
                                      ? previousToken
                                      : StringRef(field.token));
      setAbsent(field);
    }
    previousToken = field.token;
  }
  return success();
}

const ComponentFormat *ModelComponentReader::readOpeningToken() {
  std::string token;
  if (failed(reader.readToken(token)))
    return nullptr;
  StringRef type = token;
  bool isTag = type.consume_back(">");
  type.consume_front("<");
  const ComponentFormat *format = lookupComponentFormat(type);
  if (isTag && format)
    return format;
  (void)reader.fail("unknown component type " + quoteForMessage(type));
  return nullptr;
}

LogicalResult
ModelComponentReader::readClosingToken(const ComponentFormat &format) {
  std::string expected = ("</" + format.kaldiType + ">").str();
  if (format.anyClosingToken &&
      reader.peekWord().ends_with((format.kaldiType + ">").str())) {
    std::string ignored;
    return reader.readToken(ignored);
  }
  return reader.expectToken(expected);
}

Operation *ModelComponentReader::read(StringRef componentName, Location loc) {
  const ComponentFormat *format = readOpeningToken();
  if (!format)
    return nullptr;
  FileLocation where = reader.getLocation();
  name = componentName.str();
  ComponentAttributes read{Builder(builder.getContext()), {}};
  attributes = &read;
  if (failed(readFields(*format)) || failed(readClosingToken(*format)))
    return nullptr;
  std::string message = format->completeAttributes(read);
  if (!message.empty()) {
    (void)reader.failAt(where, message);
    return nullptr;
  }
  read.list.set(SymbolTable::getSymbolAttrName(), builder.getStringAttr(name));
  OperationState state(loc, format->opName);
  state.addAttributes(read.list.getAttrs());
  if (body)
    state.addRegion(std::move(body));
  return builder.create(state);
}
