//===- ConvertShapes.cpp - Nodes that change shapes -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The conversions also handle constant lists of sizes.
//
//===----------------------------------------------------------------------===//

#include "OnnxImporter.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::nnet3;
using Kind = Axis::Kind;

/// Sets the node's output to the rows with new axes. Emits an error if `axes`
/// is none.
static LogicalResult setAxes(OnnxImporter &importer, const OnnxNode &node,
                             RowTensor rows, std::optional<Axes> axes) {
  if (!axes)
    return node.emitError() << "gives a shape that is not supported: it has to "
                               "keep sequences, frames and columns apart";
  rows.axes = std::move(*axes);
  importer.set(node.getOutput(), std::move(rows));
  return success();
}

LogicalResult mlir::nnet3::convertTranspose(OnnxImporter &importer,
                                            const OnnxNode &node) {
  auto permutation = node.getInts("perm");
  if (!importer.isRows(node, 0)) {
    FailureOr<OnnxTensor> tensor = importer.getConstant(node, 0);
    if (failed(tensor))
      return failure();
    const size_t rank = tensor->shape.size();
    if (!permutation)
      permutation = llvm::to_vector(llvm::reverse(llvm::seq<int64_t>(rank)));
    SmallVector<int64_t> sorted = *permutation;
    llvm::sort(sorted);
    if (!llvm::equal(sorted, llvm::seq<int64_t>(rank)))
      return node.emitError() << "expects perm to be a permutation";
    importer.set(node.getOutput(), transpose(*tensor, *permutation));
    return success();
  }
  FailureOr<RowTensor> input = importer.getPaddedRows(node);
  if (failed(input))
    return failure();
  if (!permutation)
    permutation =
        llvm::to_vector(llvm::reverse(llvm::seq<int64_t>(input->axes.size())));
  return setAxes(importer, node, *input, input->axes.transpose(*permutation));
}

/// Reshapes a constant.
static LogicalResult reshapeConstant(OnnxImporter &importer,
                                     const OnnxNode &node,
                                     ArrayRef<int64_t> shape) {
  FailureOr<OnnxTensor> tensor = importer.getConstant(node, 0);
  if (failed(tensor))
    return failure();
  int64_t known = 1;
  for (int64_t size : shape)
    if (size != -1 && (size < 1 || llvm::MulOverflow(known, size, known)))
      return node.emitError() << "gives a shape that is not supported";
  tensor->shape = llvm::to_vector(shape);
  for (int64_t &size : tensor->shape)
    if (size == -1)
      size = tensor->size() / known;
  int64_t count = 1;
  for (int64_t size : tensor->shape)
    if (llvm::MulOverflow(count, size, count))
      count = -1;
  if (count != tensor->size())
    return node.emitError() << "gives a shape of another number of elements";
  importer.set(node.getOutput(), std::move(*tensor));
  return success();
}

LogicalResult mlir::nnet3::convertReshape(OnnxImporter &importer,
                                          const OnnxNode &node) {
  FailureOr<OnnxTensor> shape = importer.getConstant(node, 1);
  if (failed(shape))
    return failure();
  if (shape->isInteger && !importer.isRows(node, 0))
    return reshapeConstant(importer, node, shape->integers);
  FailureOr<RowTensor> input = importer.getRows(node);
  if (failed(input))
    return failure();
  if (!shape->isInteger)
    return node.emitError() << "expects a shape of integers";
  if (node.getInt("allowzero", 0) == 0)
    for (auto [i, size] : llvm::enumerate(shape->integers))
      if (size == 0 && i < input->axes.size())
        size = input->axes[i].size;
  return setAxes(importer, node, *input, input->axes.reshape(shape->integers));
}

/// Forwards a list of sizes; axes of size one do not matter.
static LogicalResult convertSizes(OnnxImporter &importer,
                                  const OnnxNode &node) {
  const OnnxValue *value = importer.find(node, 0);
  if (!value)
    return failure();
  importer.set(node.getOutput(), OnnxValue(*value));
  return success();
}

LogicalResult mlir::nnet3::convertSqueeze(OnnxImporter &importer,
                                          const OnnxNode &node) {
  if (!importer.isRows(node, 0))
    return convertSizes(importer, node);
  FailureOr<RowTensor> input = importer.getPaddedRows(node);
  if (failed(input))
    return failure();
  auto axes = importer.getIntegers(node, "axes", 1);
  if (failed(axes))
    return failure();
  return setAxes(importer, node, *input,
                 input->axes.squeeze(axes->value_or(SmallVector<int64_t>())));
}

LogicalResult mlir::nnet3::convertUnsqueeze(OnnxImporter &importer,
                                            const OnnxNode &node) {
  if (!importer.isRows(node, 0))
    return convertSizes(importer, node);
  FailureOr<RowTensor> input = importer.getPaddedRows(node);
  if (failed(input))
    return failure();
  auto axes = importer.getIntegers(node, "axes", 1);
  if (failed(axes))
    return failure();
  if (!*axes)
    return node.emitError() << "expects axes";
  return setAxes(importer, node, *input, input->axes.unsqueeze(**axes));
}

//===----------------------------------------------------------------------===//
// Concat and Pad
//===----------------------------------------------------------------------===//

/// Concatenates lists of sizes.
static LogicalResult concatSizes(OnnxImporter &importer, const OnnxNode &node) {
  SmallVector<int64_t> sizes;
  for (size_t i = 0; i < node.getNumInputs(); ++i) {
    FailureOr<OnnxTensor> part = importer.getConstant(node, i);
    if (failed(part))
      return failure();
    if (!part->isInteger || part->shape.size() > 1)
      return node.emitError() << "of constants is supported for sizes only";
    llvm::append_range(sizes, part->integers);
  }
  importer.set(node.getOutput(), OnnxTensor::ofIntegers(sizes));
  return success();
}

LogicalResult mlir::nnet3::convertConcat(OnnxImporter &importer,
                                         const OnnxNode &node) {
  if (!importer.isRows(node, 0))
    return concatSizes(importer, node);
  FailureOr<RowTensor> result = importer.getRows(node);
  if (failed(result))
    return failure();
  std::optional<size_t> axis = result->axes.resolve(node.getInt("axis", 0));
  if (!axis || result->axes.find(Kind::Columns) != axis)
    return node.emitError() << "is supported for columns only";
  std::vector<Descriptor> parts = {result->rows};
  for (size_t i = 1; i < node.getNumInputs(); ++i) {
    FailureOr<RowTensor> part = importer.getRows(node, i);
    if (failed(part))
      return failure();
    Axes axes = part->axes;
    if (axes.size() > *axis)
      axes[*axis].size = result->axes[*axis].size;
    if (!axes.match(result->axes) || part->step != result->step)
      return node.emitError()
             << "expects the frames of '" << node.getInput(i)
             << "' to be those of '" << node.getInput(0) << "'";
    parts.push_back(makeOffset(part->rows, part->origin - result->origin));
    result->dim += part->dim;
    result->isCut &= part->isCut;
    result->axes[*axis].size = result->dim;
    if (result->dim > INT32_MAX)
      return node.emitError() << "gives too many columns";
  }
  // Add a node: nested expressions would grow without limit.
  const bool isNested = llvm::any_of(parts, [](const Descriptor &part) {
    return part.kind == Descriptor::Kind::Append;
  });
  result->rows = makeAppend(std::move(parts));
  if (isNested) {
    FailureOr<Descriptor> rows = importer.getAsNode(node, *result);
    if (failed(rows))
      return failure();
    result->rows = std::move(*rows);
  }
  importer.set(node.getOutput(), std::move(*result));
  return success();
}

LogicalResult mlir::nnet3::convertPad(OnnxImporter &importer,
                                      const OnnxNode &node) {
  FailureOr<RowTensor> rows = importer.getPaddedRows(node);
  if (failed(rows))
    return failure();
  auto pads = importer.getIntegers(node, "pads", 1);
  if (failed(pads))
    return failure();
  const size_t rank = rows->axes.size();
  if (node.getString("mode", "constant") != "constant" ||
      node.getFloat("value", 0) != 0 || !importer.isZeroOrAbsent(node, 2))
    return node.emitError() << "is supported with zeros only";
  if (!*pads || (*pads)->size() != 2 * rank || !node.getInput(3).empty())
    return node.emitError() << "expects two pads for each axis";
  for (size_t axis = 0; axis < rank; ++axis) {
    const int64_t before = (**pads)[axis], after = (**pads)[rank + axis];
    if (before == 0 && after == 0)
      continue;
    if (rows->axes[axis].kind != Kind::Frames || before < 0 || after < 0 ||
        before > INT32_MAX || after > INT32_MAX)
      return node.emitError() << "is supported for frames only";
    rows->padBefore += before;
    rows->padAfter += after;
  }
  importer.set(node.getOutput(), std::move(*rows));
  return success();
}
