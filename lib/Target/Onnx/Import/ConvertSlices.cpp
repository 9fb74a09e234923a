//===- ConvertSlices.cpp - Slice and Split --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "OnnxImporter.h"

using namespace mlir;
using namespace mlir::nnet3;
using Kind = Axis::Kind;

namespace {
/// The elements of one axis that a Slice keeps.
struct SliceRange {
  int64_t begin, end, step;
};
} // namespace

/// Takes the columns [begin, begin + dim) of `input`.
static FailureOr<RowTensor> takeColumns(OnnxImporter &importer,
                                        const OnnxNode &node, RowTensor input,
                                        size_t axis, int64_t begin,
                                        int64_t dim) {
  // A dim-range needs a node without an offset, so the offset is applied after
  // it.
  const bool isOffset = input.rows.kind == Descriptor::Kind::Offset;
  const int64_t offset = isOffset ? input.rows.t : 0;
  if (isOffset)
    input.rows = Descriptor(input.rows.operands.front());
  FailureOr<Descriptor> source = importer.getAsNode(node, input);
  if (failed(source))
    return failure();
  input.rows = makeOffset(
      importer.getBuilder().addColumns(node.getLoc(), importer.makeName(node),
                                       *source, begin, dim),
      offset);
  input.dim = input.axes[axis].size = dim;
  return input;
}

/// Takes every `step`th frame from `begin` on.
static LogicalResult sliceFrames(const OnnxNode &node, RowTensor &rows,
                                 size_t axis, SliceRange range) {
  int64_t &frames = rows.axes[axis].size;
  const bool isFree = frames == kFreeFrames;
  if (range.begin < 0 && isFree)
    return node.emitError() << "takes frames that are counted from the end, "
                               "which is not supported";
  if (range.begin < 0)
    range.begin = std::max<int64_t>(range.begin + frames, 0);
  if (range.begin > INT32_MAX || range.step < 1 || range.step > INT32_MAX)
    return node.emitError() << "expects frames in their order";
  const bool isToEnd = range.end >= (isFree ? INT32_MAX : frames);
  if (!isFree) {
    const int64_t end =
        range.end < 0 ? range.end + frames : std::min(range.end, frames);
    frames = (end - range.begin + range.step - 1) / range.step;
    if (end <= range.begin)
      return node.emitError() << "keeps no frames";
  }
  rows.isCut |= range.begin != 0 || !isToEnd;
  rows.origin += range.begin * rows.step;
  rows.step *= range.step;
  if (rows.origin > INT32_MAX || rows.step > INT32_MAX)
    return node.emitError() << "takes frames that are too far from each other";
  return success();
}

static LogicalResult sliceAxis(OnnxImporter &importer, const OnnxNode &node,
                               RowTensor &rows, size_t axis, SliceRange range) {
  const Axis &sliced = rows.axes[axis];
  if (sliced.kind == Kind::Frames)
    return sliceFrames(node, rows, axis, range);
  const int64_t size = sliced.size;
  if (size >= 0) {
    auto bring = [&](int64_t i) {
      return std::clamp<int64_t>(i < 0 ? i + size : i, 0, size);
    };
    range.begin = bring(range.begin);
    range.end = bring(range.end);
  }
  const bool isWhole = range.begin == 0 && range.step == 1 &&
                       range.end >= (size >= 0 ? size : INT32_MAX);
  if (isWhole)
    return success();
  if (rows.axes.find(Kind::Columns) != axis || range.step != 1 ||
      range.end <= range.begin)
    return node.emitError() << "is supported for frames and for consecutive "
                               "columns";
  FailureOr<RowTensor> taken = takeColumns(
      importer, node, rows, axis, range.begin, range.end - range.begin);
  if (failed(taken))
    return failure();
  rows = std::move(*taken);
  return success();
}

/// Slices a constant along one axis.
static LogicalResult sliceConstant(OnnxImporter &importer, const OnnxNode &node,
                                   int64_t index, SliceRange range) {
  if (importer.isZeroTensor(node, 0)) {
    importer.set(node.getOutput(), ZeroTensor());
    return success();
  }
  FailureOr<OnnxTensor> tensor = importer.getConstant(node, 0);
  if (failed(tensor))
    return failure();
  const int64_t rank = tensor->shape.size();
  if (index < -rank || index >= rank || range.step == 0)
    return node.emitError() << "there is no axis " << index;
  const size_t axis = index < 0 ? index + rank : index;
  const int64_t size = tensor->shape[axis];
  // With a negative step the first element may be the last one kept.
  const int64_t first = range.step > 0 ? 0 : -1;
  auto bring = [&](int64_t i) {
    return std::clamp<int64_t>(i < 0 ? std::max(i, -size - 1) + size : i, first,
                               size + first);
  };
  importer.set(node.getOutput(), slice(*tensor, axis, bring(range.begin),
                                       bring(range.end), range.step));
  return success();
}

LogicalResult mlir::nnet3::convertSlice(OnnxImporter &importer,
                                        const OnnxNode &node) {
  auto starts = importer.getIntegers(node, "starts", 1);
  if (failed(starts))
    return failure();
  auto ends = importer.getIntegers(node, "ends", 2);
  if (failed(ends))
    return failure();
  auto axes = importer.getIntegers(node, "axes", 3);
  if (failed(axes))
    return failure();
  auto steps = importer.getIntegers(node, "steps", 4);
  if (failed(steps))
    return failure();
  if (!*starts || !*ends)
    return node.emitError() << "expects starts and ends";
  const size_t count = (*starts)->size();
  if (!*axes)
    *axes = llvm::to_vector(llvm::seq<int64_t>(count));
  if (!*steps)
    *steps = SmallVector<int64_t>(count, 1);
  if ((*ends)->size() != count || (*axes)->size() != count ||
      (*steps)->size() != count)
    return node.emitError() << "expects as many starts as ends, axes and steps";
  if (!importer.isRows(node, 0)) {
    if (count != 1)
      return node.emitError() << "of a constant is supported for one axis";
    return sliceConstant(importer, node, (**axes)[0],
                         {(**starts)[0], (**ends)[0], (**steps)[0]});
  }
  FailureOr<RowTensor> rows = importer.getRows(node);
  if (failed(rows))
    return failure();
  for (auto [start, end, index, step] :
       llvm::zip_equal(**starts, **ends, **axes, **steps)) {
    std::optional<size_t> axis = rows->axes.resolve(index);
    if (!axis)
      return node.emitError() << "there is no axis " << index;
    if (failed(sliceAxis(importer, node, *rows, *axis, {start, end, step})))
      return failure();
  }
  importer.set(node.getOutput(), std::move(*rows));
  return success();
}

/// Returns the sizes of the parts.
static FailureOr<SmallVector<int64_t>>
getParts(OnnxImporter &importer, const OnnxNode &node, int64_t dim) {
  auto given = importer.getIntegers(node, "split", 1);
  if (failed(given))
    return failure();
  const int64_t count = node.getNumOutputs();
  SmallVector<int64_t> parts(count, llvm::divideCeil(dim, count));
  if (*given)
    parts = **given;
  else
    parts.back() = dim - parts.front() * (count - 1);
  int64_t sum = 0;
  for (int64_t part : parts)
    if (part < 1 || (sum += part) > dim)
      return node.emitError() << "expects parts of " << dim << " columns";
  if (sum != dim || int64_t(parts.size()) != count)
    return node.emitError() << "expects parts of " << dim << " columns";
  return parts;
}

LogicalResult mlir::nnet3::convertSplit(OnnxImporter &importer,
                                        const OnnxNode &node) {
  FailureOr<RowTensor> rows = importer.getRows(node);
  if (failed(rows))
    return failure();
  std::optional<size_t> axis = rows->axes.resolve(node.getInt("axis", 0));
  if (!axis || rows->axes.find(Kind::Columns) != axis)
    return node.emitError() << "is supported for columns only";
  FailureOr<SmallVector<int64_t>> parts = getParts(importer, node, rows->dim);
  if (failed(parts))
    return failure();
  int64_t begin = 0;
  for (auto [i, part] : llvm::enumerate(*parts)) {
    FailureOr<RowTensor> taken =
        takeColumns(importer, node, *rows, *axis, begin, part);
    if (failed(taken))
      return failure();
    importer.set(node.getOutput(i), std::move(*taken));
    begin += part;
  }
  return success();
}
