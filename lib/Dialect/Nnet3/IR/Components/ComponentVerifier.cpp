//===- ComponentVerifier.cpp - What every component must satisfy ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Components.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <limits>

using namespace mlir;
using namespace mlir::nnet3;

/// Kaldi's dims are 32-bit.
static constexpr int64_t kMaxDim = std::numeric_limits<int32_t>::max();
/// No tensor has more elements than this, 2 GiB of them: what a few characters
/// of text make us allocate has a limit.
static constexpr int64_t kMaxElements = int64_t(1) << 29;

/// Whether the product of `shape` is in range.
static bool fits(ArrayRef<int64_t> shape) {
  int64_t elements = 1;
  for (int64_t size : shape)
    if (llvm::MulOverflow(elements, size, elements) || elements > kMaxElements)
      return false;
  return true;
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

double mlir::nnet3::detail::getInitNumber(DictionaryAttr init, StringRef key,
                                          double fallback) {
  if (!init)
    return fallback;
  if (auto number = init.getAs<FloatAttr>(key))
    return number.getValueAsDouble();
  return fallback;
}

StringRef mlir::nnet3::detail::getInitFile(DictionaryAttr init, StringRef key) {
  auto file = init ? init.getAs<StringAttr>(key) : StringAttr();
  return file ? file.getValue() : StringRef();
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

FailureOr<bool>
mlir::nnet3::detail::readVector(Operation *op, DictionaryAttr init,
                                StringRef key, StringRef name, int64_t dim,
                                ParameterInitializer &initializer) {
  StringRef file = getInitFile(init, key);
  if (file.empty())
    return false;
  int64_t rows, cols;
  FailureOr<std::vector<float>> values =
      initializer.readMatrix(op, file, rows, cols);
  if (failed(values))
    return failure();
  if (rows != 1 || cols != dim) {
    op->emitOpError("expects a vector of dim ")
        << dim << " in '" << file << "', but got " << rows << "x" << cols;
    return failure();
  }
  initializer.setTensor(op, name, {dim}, *values);
  return true;
}
