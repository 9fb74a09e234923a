//===- Extrapolate.cpp - Extrapolate a series of computations -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Extrapolate.h"
#include "nnet3/Dialect/Nnet3/IR/RowTable.h"

#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace mlir::nnet3;

namespace {
class Extrapolator {
public:
  Extrapolator(int64_t steps, std::string &reason)
      : steps(steps), reason(reason) {}

  LogicalResult extrapolate(Block &first, Block &second);

private:
  LogicalResult extrapolate(Operation &first, Operation &second);
  LogicalResult extrapolateProperties(Operation &first, Operation &second);
  LogicalResult checkOperands(Operation &first, Operation &second);
  Attribute extrapolate(Attribute first, Attribute second);
  RowTableAttr extrapolate(RowTableAttr first, RowTableAttr second);
  Type extrapolate(Type first, Type second);
  std::optional<int64_t> extrapolate(int64_t first, int64_t second);
  LogicalResult fail(Operation &op, const Twine &why) {
    llvm::raw_string_ostream(reason) << "'" << op.getName() << "' " << why;
    return failure();
  }

  int64_t steps;
  std::string &reason;
  /// The value of the second computation for each value of the first; only
  /// looked up.
  DenseMap<Value, Value> seconds;
};
} // namespace

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

std::optional<int64_t> Extrapolator::extrapolate(int64_t first,
                                                 int64_t second) {
  int64_t difference, growth, result;
  if (llvm::SubOverflow(second, first, difference) ||
      llvm::MulOverflow(difference, steps, growth) ||
      llvm::AddOverflow(first, growth, result))
    return std::nullopt;
  return result;
}

/// Marks the words of a code that must be equal: kinds of items and sources.
static void addTags(ArrayRef<int64_t> code, size_t offset,
                    std::vector<bool> &isTag) {
  for (size_t i = 0; i < code.size();) {
    isTag[offset + i] = true;
    if (code[i] == row_table::kNone) {
      ++i;
    } else if (code[i] == row_table::kRow) {
      isTag[offset + i + 1] = true; // the source
      i += 3;
    } else {
      const size_t length = code[i + 3];
      isTag[offset + i + 3] = true;
      addTags(code.slice(i + 4, length), offset + i + 4, isTag);
      i += 4 + length;
    }
  }
}

/// Extrapolates rows, counts and strides of equal items. Invalid results are
/// errors for the context's handler.
RowTableAttr Extrapolator::extrapolate(RowTableAttr first,
                                       RowTableAttr second) {
  ArrayRef<int64_t> a = first.getCode(), b = second.getCode();
  if (a.size() != b.size())
    return nullptr;
  std::vector<bool> isTag(a.size());
  addTags(a, 0, isTag);
  SmallVector<int64_t> code;
  for (size_t i = 0; i < a.size(); ++i) {
    std::optional<int64_t> number = extrapolate(a[i], b[i]);
    if (!number || (isTag[i] && a[i] != b[i]))
      return nullptr;
    code.push_back(*number);
  }
  auto report = [&] { return emitError(UnknownLoc::get(first.getContext())); };
  if (failed(RowTableAttr::verify(report, code)))
    return nullptr;
  return RowTableAttr::get(first.getContext(), code);
}

Attribute Extrapolator::extrapolate(Attribute first, Attribute second) {
  if (first == second)
    return first;
  if (!first || !second || first.getTypeID() != second.getTypeID())
    return nullptr;
  if (auto table = dyn_cast<RowTableAttr>(first))
    return extrapolate(table, cast<RowTableAttr>(second));
  auto number = dyn_cast<IntegerAttr>(first);
  if (number && number.getType() == cast<IntegerAttr>(second).getType() &&
      number.getValue().getBitWidth() <= 64) {
    auto value =
        extrapolate(number.getValue().getSExtValue(),
                    cast<IntegerAttr>(second).getValue().getSExtValue());
    return value ? IntegerAttr::get(number.getType(), *value) : nullptr;
  }
  if (auto entries = dyn_cast<DictionaryAttr>(first)) {
    auto others = cast<DictionaryAttr>(second);
    if (entries.size() != others.size())
      return nullptr;
    NamedAttrList values;
    for (NamedAttribute entry : entries) {
      Attribute value =
          extrapolate(entry.getValue(), others.get(entry.getName()));
      if (!value)
        return nullptr;
      values.append(entry.getName(), value);
    }
    return values.getDictionary(first.getContext());
  }
  if (auto list = dyn_cast<ArrayAttr>(first)) {
    auto other = cast<ArrayAttr>(second);
    if (list.size() != other.size())
      return nullptr;
    SmallVector<Attribute> values;
    for (auto [a, b] : llvm::zip_equal(list, other)) {
      values.push_back(extrapolate(a, b));
      if (!values.back())
        return nullptr;
    }
    return ArrayAttr::get(first.getContext(), values);
  }
  return nullptr;
}

Type Extrapolator::extrapolate(Type first, Type second) {
  if (first == second)
    return first;
  auto a = dyn_cast<MemRefType>(first), b = dyn_cast<MemRefType>(second);
  if (!a || !b || a.getDimSize(1) != b.getDimSize(1))
    return nullptr;
  std::optional<int64_t> rows = extrapolate(a.getDimSize(0), b.getDimSize(0));
  if (!rows || *rows <= 0)
    return nullptr;
  auto stridedA = dyn_cast<StridedLayoutAttr>(a.getLayout());
  auto stridedB = dyn_cast<StridedLayoutAttr>(b.getLayout());
  if (!stridedA && !stridedB && a.getLayout() == b.getLayout())
    return MemRefType::get({*rows, a.getDimSize(1)}, a.getElementType());
  if (!stridedA || !stridedB ||
      stridedA.getStrides() != stridedB.getStrides() ||
      ShapedType::isDynamic(stridedA.getOffset()) !=
          ShapedType::isDynamic(stridedB.getOffset()))
    return nullptr;
  int64_t offset = ShapedType::kDynamic;
  if (!ShapedType::isDynamic(stridedA.getOffset())) {
    auto value = extrapolate(stridedA.getOffset(), stridedB.getOffset());
    if (!value || *value < 0)
      return nullptr;
    offset = *value;
  }
  return MemRefType::get({*rows, a.getDimSize(1)}, a.getElementType(),
                         StridedLayoutAttr::get(first.getContext(), offset,
                                                stridedA.getStrides()));
}

//===----------------------------------------------------------------------===//
// Commands
//===----------------------------------------------------------------------===//

LogicalResult Extrapolator::checkOperands(Operation &first, Operation &second) {
  if (first.getNumOperands() != second.getNumOperands())
    return fail(first, "has other operands");
  for (auto [a, b] : llvm::zip_equal(first.getOperands(), second.getOperands()))
    if (seconds.lookup(a) != b)
      return fail(first, "has other operands");
  return success();
}

LogicalResult Extrapolator::extrapolateProperties(Operation &first,
                                                  Operation &second) {
  // Most commands have the same, and no attributes need be made of them.
  if (first.getName().compareOpProperties(first.getPropertiesStorage(),
                                          second.getPropertiesStorage()))
    return success();
  auto attributes = cast<DictionaryAttr>(first.getPropertiesAsAttribute());
  auto others = cast<DictionaryAttr>(second.getPropertiesAsAttribute());
  NamedAttrList values;
  for (NamedAttribute attribute : attributes) {
    Attribute other = others.get(attribute.getName());
    Attribute value = extrapolate(attribute.getValue(), other);
    if (!value)
      return fail(first,
                  "does not go on alike: " + attribute.getName().getValue());
    values.append(attribute.getName(), value);
  }
  return first.setPropertiesFromAttribute(
      values.getDictionary(first.getContext()),
      [&] { return first.emitError(); });
}

LogicalResult Extrapolator::extrapolate(Operation &first, Operation &second) {
  if (first.getName() != second.getName() ||
      first.getNumResults() != second.getNumResults() ||
      first.getNumRegions() != second.getNumRegions())
    return fail(first, "is not the same command for more frames");
  if (failed(checkOperands(first, second)))
    return failure();
  if (failed(extrapolateProperties(first, second)))
    return failure();
  first.setDiscardableAttrs(DictionaryAttr::get(first.getContext(), {}));
  for (auto [a, b] : llvm::zip_equal(first.getResults(), second.getResults())) {
    Type type = extrapolate(a.getType(), b.getType());
    if (!type)
      return fail(first, "makes a matrix that does not grow by the same rows");
    a.setType(type);
    seconds[a] = b;
  }
  for (auto [a, b] : llvm::zip_equal(first.getRegions(), second.getRegions())) {
    if (a.empty() != b.empty())
      return fail(first, "has another body");
    if (!a.empty() && failed(extrapolate(a.front(), b.front())))
      return failure();
  }
  return success();
}

LogicalResult Extrapolator::extrapolate(Block &first, Block &second) {
  if (first.getNumArguments() != second.getNumArguments() ||
      first.getOperations().size() != second.getOperations().size())
    return fail(*first.getParentOp(), "has other commands for more frames");
  for (auto [a, b] :
       llvm::zip_equal(first.getArguments(), second.getArguments()))
    seconds[a] = b;
  for (auto [a, b] : llvm::zip_equal(first, second))
    if (failed(extrapolate(a, b)))
      return failure();
  return success();
}

LogicalResult mlir::nnet3::extrapolate(ComputationOp first,
                                       ComputationOp second, int64_t steps,
                                       std::string &reason) {
  return Extrapolator(steps, reason)
      .extrapolate(first.getBody().front(), second.getBody().front());
}
