//===- RowTensor.cpp - Tensors that are rows of a network -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RowTensor.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::nnet3;
using Kind = Axis::Kind;

std::optional<Axes> Axes::get(StringRef letters, ArrayRef<int64_t> sizes) {
  Axes result;
  for (auto [letter, size] : llvm::zip_equal(letters, sizes)) {
    switch (letter) {
    case 'N':
      result.axes.push_back(
          {Kind::Sequences, size < 0 ? kFreeSequences : size});
      break;
    case 'T':
      result.axes.push_back({Kind::Frames, size < 0 ? kFreeFrames : size});
      break;
    case 'C':
      if (size <= 0)
        return std::nullopt;
      result.axes.push_back({Kind::Columns, size});
      break;
    default:
      return std::nullopt;
    }
  }
  const bool hasSequences = letters.contains('N');
  if (!result.find(Kind::Frames) || !result.find(Kind::Columns) ||
      hasSequences != result.find(Kind::Sequences).has_value())
    return std::nullopt;
  return result;
}

bool Axes::are(ArrayRef<Axis::Kind> kinds) const {
  return llvm::equal(axes, kinds, [](const Axis &axis, Axis::Kind kind) {
    return axis.kind == kind ||
           (axis.kind == Kind::Unit && kind == Kind::Sequences);
  });
}

std::optional<size_t> Axes::find(Axis::Kind kind) const {
  std::optional<size_t> found;
  for (auto [i, axis] : llvm::enumerate(axes)) {
    if (axis.kind != kind)
      continue;
    if (found)
      return std::nullopt;
    found = i;
  }
  return found;
}

SmallVector<int64_t> Axes::getSizes() const {
  return llvm::map_to_vector(axes, [](const Axis &axis) { return axis.size; });
}

std::optional<size_t> Axes::resolve(int64_t axis) const {
  const int64_t rank = axes.size();
  if (axis < -rank || axis >= rank)
    return std::nullopt;
  return axis < 0 ? axis + rank : axis;
}

std::optional<Axes> Axes::transpose(ArrayRef<int64_t> permutation) const {
  if (permutation.size() != axes.size())
    return std::nullopt;
  Axes result;
  SmallVector<bool> taken(axes.size(), false);
  int64_t lastColumns = -1;
  for (int64_t i : permutation) {
    if (i < 0 || i >= int64_t(axes.size()) || taken[i])
      return std::nullopt;
    taken[i] = true;
    result.axes.push_back(axes[i]);
    // Permuting the factors of the columns would permute the columns.
    if (axes[i].kind == Kind::Columns) {
      if (i < lastColumns)
        return std::nullopt;
      lastColumns = i;
    }
  }
  return result;
}

namespace {
/// Matches the axes with the new sizes. Splits and merges only columns.
class Reshaper {
public:
  Reshaper(ArrayRef<Axis> axes, ArrayRef<int64_t> sizes)
      : axes(axes), sizes(sizes) {}

  /// Returns the axes of the result, or failure. A size of -1 matches one axis,
  /// or merges columns.
  FailureOr<SmallVector<Axis, 4>> run() {
    while (i < axes.size() || j < sizes.size())
      if (failed(step()))
        return failure();
    return result;
  }

private:
  LogicalResult step() {
    if (i < axes.size() && axes[i].kind == Kind::Unit &&
        (j == sizes.size() || sizes[j] != 1)) {
      ++i;
      return success();
    }
    if (j == sizes.size())
      return failure();
    const int64_t size = sizes[j];
    if (size == 1 && (i == axes.size() || axes[i].size != 1))
      return add({Kind::Unit, 1}, /*numAxes=*/0);
    if (i == axes.size())
      return failure();
    const bool isOpen = size == -1 || size == axes[i].size;
    if (axes[i].kind != Kind::Columns)
      return isOpen ? add(axes[i], 1) : failure();
    return reshapeColumns(size);
  }

  /// Replaces `numAxes` axes by `axis`, and advances to the next size.
  LogicalResult add(Axis axis, size_t numAxes) {
    result.push_back(axis);
    i += numAxes;
    ++j;
    return success();
  }

  LogicalResult reshapeColumns(int64_t size) {
    size_t end = i;
    int64_t merged = 1;
    while (end < axes.size() &&
           (axes[end].kind == Kind::Columns || axes[end].kind == Kind::Unit) &&
           (size == -1 || merged < size))
      merged *= axes[end++].size;
    if (size == -1 || merged == size)
      return add({Kind::Columns, merged}, end - i);
    // Split an axis into several known sizes.
    int64_t product = 1;
    while (j < sizes.size() && sizes[j] > 0 && sizes[j] <= axes[i].size &&
           product < axes[i].size) {
      product *= sizes[j];
      result.push_back({Kind::Columns, sizes[j++]});
    }
    return success(product == axes[i++].size);
  }

  ArrayRef<Axis> axes;
  ArrayRef<int64_t> sizes;
  size_t i = 0, j = 0;
  SmallVector<Axis, 4> result;
};
} // namespace

std::optional<Axes> Axes::reshape(ArrayRef<int64_t> sizes) const {
  FailureOr<SmallVector<Axis, 4>> reshaped = Reshaper(axes, sizes).run();
  if (failed(reshaped))
    return std::nullopt;
  Axes result;
  result.axes = std::move(*reshaped);
  return result;
}

std::optional<Axes> Axes::squeeze(ArrayRef<int64_t> dropped) const {
  SmallVector<bool> drops(axes.size(), false);
  for (int64_t index : dropped) {
    std::optional<size_t> axis = resolve(index);
    if (!axis || axes[*axis].kind != Kind::Unit)
      return std::nullopt;
    drops[*axis] = true;
  }
  Axes result;
  for (auto [axis, drop] : llvm::zip_equal(axes, drops))
    if (!drop && !(dropped.empty() && axis.kind == Kind::Unit))
      result.axes.push_back(axis);
  return result;
}

std::optional<Axes> Axes::unsqueeze(ArrayRef<int64_t> added) const {
  const int64_t rank = axes.size() + added.size();
  SmallVector<bool> adds(rank, false);
  for (int64_t index : added) {
    const int64_t axis = index < 0 ? index + rank : index;
    if (axis < 0 || axis >= rank || adds[axis])
      return std::nullopt;
    adds[axis] = true;
  }
  Axes result;
  auto next = axes.begin();
  for (bool add : adds)
    result.axes.push_back(add ? Axis{Kind::Unit, 1} : *next++);
  return result;
}

std::optional<std::vector<float>>
Axes::getColumns(const OnnxTensor &tensor) const {
  if (tensor.isInteger || tensor.shape.size() > axes.size())
    return std::nullopt;
  if (tensor.size() == 1)
    return tensor.reals;
  std::optional<size_t> columns = find(Kind::Columns);
  const size_t first = axes.size() - tensor.shape.size();
  for (auto [i, size] : llvm::enumerate(tensor.shape))
    if (size != 1 &&
        (!columns || first + i != *columns || size != axes[*columns].size))
      return std::nullopt;
  return tensor.reals;
}

bool Axes::match(const Axes &other) const {
  return llvm::equal(axes, other.axes, [](const Axis &a, const Axis &b) {
    const bool isKnown = a.size >= 0 && b.size >= 0;
    return a.kind == b.kind && (!isKnown || a.size == b.size);
  });
}
