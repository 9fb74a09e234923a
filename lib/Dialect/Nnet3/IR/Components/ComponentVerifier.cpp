//===- ComponentVerifier.cpp - Common checks of components ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Components.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <limits>

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::detail;

/// Kaldi's dims are 32-bit.
static constexpr int64_t kMaxDim = std::numeric_limits<int32_t>::max();
/// Maximum number of elements of a tensor (2 GiB of them), to limit what a
/// short text can make us allocate.
static constexpr int64_t kMaxElements = int64_t(1) << 29;

/// Whether the number of elements of `shape` is in range.
static bool fits(ArrayRef<int64_t> shape) {
  int64_t elements = 1;
  for (int64_t size : shape)
    if (llvm::MulOverflow(elements, size, elements) || elements > kMaxElements)
      return false;
  return true;
}

namespace {
/// The values that a number may take.
enum class RealRange { Any, Positive, NonNegative, UpToOne };
/// A constraint on an attribute of an operation: a range, or that it divides
/// the attribute `dim`.
struct Limit {
  StringLiteral operation, attribute, dim;
  RealRange range;
};
} // namespace

#include "nnet3/Dialect/Nnet3/IR/component-limits.inc"

static LogicalResult verifyRange(Operation *op, const Limit &limit,
                                 float value) {
  auto expected = [&](StringRef before, StringRef behind) {
    return op->emitOpError("expects a ")
           << before << limit.attribute << behind << ", but got " << value;
  };
  switch (limit.range) {
  case RealRange::Any:
    return success();
  case RealRange::Positive:
    return value > 0 ? success() : expected("positive ", "");
  case RealRange::NonNegative:
    return value >= 0 ? success() : expected("", " that is not negative");
  case RealRange::UpToOne:
    return value >= 0 && value <= 1 ? success()
                                    : expected("", " between 0 and 1");
  }
  llvm_unreachable("all ranges are listed");
}

/// A missing attribute is valid; a missing block dim defaults to the dim.
static LogicalResult verifyLimit(Operation *op, const Limit &limit) {
  Attribute value = op->getAttr(limit.attribute);
  if (auto number = dyn_cast_or_null<FloatAttr>(value))
    return verifyRange(op, limit, number.getValue().convertToFloat());
  if (auto divisor = dyn_cast_or_null<IntegerAttr>(value))
    return verifyDivides(op, limit.attribute, divisor.getInt(), limit.dim,
                         op->getAttrOfType<IntegerAttr>(limit.dim).getInt());
  return success();
}

LogicalResult mlir::nnet3::detail::verifyLimits(Operation *op) {
  for (const Limit &limit : kLimits)
    if (limit.operation == op->getName().getStringRef() &&
        failed(verifyLimit(op, limit)))
      return failure();
  return success();
}

LogicalResult mlir::nnet3::detail::verifyComponentOp(Operation *op) {
  auto component = cast<ComponentOpInterface>(op);
  if (failed(verifyName(op, cast<SymbolOpInterface>(op).getName())) ||
      failed(component.verifyConfiguration()))
    return failure();
  if (component.getComponentInputDim() <= 0 ||
      component.getComponentOutputDim() <= 0)
    return op->emitOpError("expects positive dims, but got input dim ")
           << component.getComponentInputDim() << " and output dim "
           << component.getComponentOutputDim();
  for (int64_t dim :
       {component.getComponentInputDim(), component.getComponentOutputDim()})
    if (dim > kMaxDim)
      return op->emitOpError("expects dims up to ")
             << kMaxDim << ", but got " << dim;
  for (const TensorSpec &tensor : component.getTensors()) {
    if (!fits(tensor.shape)) {
      InFlightDiagnostic diag = op->emitOpError("expects at most ")
                                << kMaxElements << " elements in "
                                << tensor.name << ", but its shape is ";
      llvm::interleave(tensor.shape, diag, "x");
      return diag;
    }
    auto value = op->getAttrOfType<ElementsAttr>(tensor.name);
    if (!value)
      continue;
    auto type = cast<ShapedType>(value.getType());
    auto expected =
        RankedTensorType::get(tensor.shape, Float32Type::get(op->getContext()));
    if (type != expected)
      return op->emitOpError("expects ")
             << tensor.name << " of type " << expected << ", but got " << type;
  }
  return success();
}

LogicalResult mlir::nnet3::detail::verifyDivides(Operation *op,
                                                 StringRef divisorName,
                                                 int64_t divisor,
                                                 StringRef dimName,
                                                 int64_t dim) {
  if (divisor <= 0 || dim % divisor != 0)
    return op->emitOpError("expects ")
           << (StringRef("aeiou").contains(divisorName.front()) ? "an " : "a ")
           << divisorName << " that divides " << dimName << " " << dim
           << ", but got " << divisor;
  return success();
}
