//===- RowTensor.h - Tensors that are rows of a network ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LIB_TARGET_ONNX_IMPORT_ROWTENSOR_H
#define LIB_TARGET_ONNX_IMPORT_ROWTENSOR_H

#include "OnnxTensor.h"
#include "nnet3/Dialect/Nnet3/Analysis/Descriptor.h"

namespace mlir::nnet3 {

/// One dimension of a tensor.
struct Axis {
  enum class Kind {
    Sequences,
    Frames,
    Columns, ///< the columns of the rows, or a factor of their number
    Unit,    ///< size one
  };
  Kind kind;
  int64_t size; ///< or kFreeSequences, kFreeFrames
};

/// The axes of a tensor.
class Axes {
public:
  Axes() = default;
  Axes(std::initializer_list<Axis> axes) : axes(axes) {}
  /// Makes axes from letters as in OnnxLayouts and sizes. None unless the
  /// letters are distinct and include columns and frames.
  static std::optional<Axes> get(StringRef letters, ArrayRef<int64_t> sizes);

  size_t size() const { return axes.size(); }
  const Axis &operator[](size_t i) const { return axes[i]; }
  Axis &operator[](size_t i) { return axes[i]; }
  auto begin() const { return axes.begin(); }
  auto end() const { return axes.end(); }

  /// Returns true if the axes have these kinds in this order. A unit axis may
  /// serve as the sequence axis.
  bool are(ArrayRef<Axis::Kind> kinds) const;
  /// Returns the only axis of a kind; none if there are zero or several.
  std::optional<size_t> find(Axis::Kind kind) const;
  /// Returns the sizes as the result of an ONNX `Shape` node.
  SmallVector<int64_t> getSizes() const;
  /// Resolves an ONNX index, where -1 is the last axis; none if it is out of
  /// range.
  std::optional<size_t> resolve(int64_t axis) const;

  /// These return none if the result would not consist of the same rows.
  std::optional<Axes> transpose(ArrayRef<int64_t> permutation) const;
  std::optional<Axes> reshape(ArrayRef<int64_t> sizes) const;
  /// Drops these unit axes, or all if none are given.
  std::optional<Axes> squeeze(ArrayRef<int64_t> dropped) const;
  /// Inserts unit axes at these indices of the result.
  std::optional<Axes> unsqueeze(ArrayRef<int64_t> added) const;

  /// Returns the values per column of a tensor that ONNX broadcasts to this
  /// shape: one value, or one per column. None if the values differ between
  /// frames.
  std::optional<std::vector<float>> getColumns(const OnnxTensor &tensor) const;

  /// Returns true if equal indices of two tensors mean the same column of the
  /// same frame, as far as sizes are known.
  bool match(const Axes &other) const;

private:
  SmallVector<Axis, 4> axes;
};

/// A tensor that consists of rows of a network.
struct RowTensor {
  /// The row at time t.
  Descriptor rows;
  int64_t dim = 0;
  Axes axes;
  /// Frame i is the row at t = origin + i * step.
  int64_t origin = 0, step = 1;
  /// Zero frames around the tensor; a convolution must consume them.
  int64_t padBefore = 0, padAfter = 0;
  /// Whether the network also computes rows outside the frames of the tensor.
  /// Then zero padding cannot be expressed by absent rows.
  bool isCut = false;
};

} // namespace mlir::nnet3

#endif // LIB_TARGET_ONNX_IMPORT_ROWTENSOR_H
