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
    Columns, ///< the columns of the rows, or a factor of them
    Unit,    ///< one element
  };
  Kind kind;
  int64_t size; ///< or kFreeSequences, kFreeFrames
};

/// The axes of a tensor.
class Axes {
public:
  Axes() = default;
  Axes(std::initializer_list<Axis> axes) : axes(axes) {}
  /// From letters as in OnnxLayouts, and sizes. Nothing if the letters are not
  /// those of different axes with columns and frames among them.
  static std::optional<Axes> get(StringRef letters, ArrayRef<int64_t> sizes);

  size_t size() const { return axes.size(); }
  const Axis &operator[](size_t i) const { return axes[i]; }
  Axis &operator[](size_t i) { return axes[i]; }
  auto begin() const { return axes.begin(); }
  auto end() const { return axes.end(); }

  /// Whether the kinds are these, in this order. One element serves as the axis
  /// of sequences.
  bool are(ArrayRef<Axis::Kind> kinds) const;
  /// The only axis of this kind; nothing if there is none or there are several.
  std::optional<size_t> find(Axis::Kind kind) const;
  /// The sizes, as a model gets them from a node `Shape`.
  SmallVector<int64_t> getSizes() const;
  /// An index of ONNX, where -1 is the last axis; nothing if it is out of
  /// range.
  std::optional<size_t> resolve(int64_t axis) const;

  /// Each of these is nothing where the rows do not stay as they are.
  std::optional<Axes> transpose(ArrayRef<int64_t> permutation) const;
  std::optional<Axes> reshape(ArrayRef<int64_t> sizes) const;
  /// Drops these axes of one element, or all if none are given.
  std::optional<Axes> squeeze(ArrayRef<int64_t> dropped) const;
  /// Adds axes of one element, which have these indexes in the result.
  std::optional<Axes> unsqueeze(ArrayRef<int64_t> added) const;

  /// The factors by which a tensor that ONNX repeats to this one's shape
  /// differs from column to column: one value, or one per column. Nothing if it
  /// differs from frame to frame.
  std::optional<std::vector<float>> getColumns(const OnnxTensor &tensor) const;

  /// Whether the same element of two tensors is the same column of the same
  /// frame, for sizes that are known of both.
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
  /// Frames of zeros around it, which a convolution has to take.
  int64_t padBefore = 0, padAfter = 0;
  /// Whether the network computes rows beside the frames of the tensor, so that
  /// zeros around it are not the network's absent rows.
  bool isCut = false;
};

} // namespace mlir::nnet3

#endif // LIB_TARGET_ONNX_IMPORT_ROWTENSOR_H
