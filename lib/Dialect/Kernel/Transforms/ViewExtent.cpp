//===- ViewExtent.cpp - The memory that a view covers ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ViewExtent.h"

#include "nnet3/Dialect/Kernel/IR/KernelDialect.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::nnet3::kernel;

/// Memory has no offsets beyond this: sums of offsets do not overflow.
static constexpr int64_t kMostOffset = int64_t(1) << 40;

/// A constant offset, or number of a row or column, of a view.
static std::optional<int64_t> getOffset(OpFoldResult value) {
  auto offset = getConstantIntValue(value);
  return offset && *offset >= 0 && *offset <= kMostOffset ? offset
                                                          : std::nullopt;
}

std::optional<ViewExtent> ViewExtent::get(Value view) {
  if (!isMatrixView(view.getType()) && !isVectorView(view.getType()))
    return std::nullopt;
  auto type = cast<MemRefType>(view.getType());
  ViewExtent extent = {view, 0, 1, 0, type.getShape().back()};
  if (type.getRank() == 2) {
    extent.rows = type.getDimSize(0);
    extent.stride = type.getStridesAndOffset().first.front();
  }
  if (auto part = view.getDefiningOp<memref::SubViewOp>()) {
    // Of a matrix all rows: others are not rows of an operation.
    auto whole = get(part.getSource());
    auto column = getOffset(part.getMixedOffsets().back());
    if (!whole || !column || whole->rows != extent.rows)
      return std::nullopt;
    extent.memory = whole->memory;
    extent.offset = whole->offset + *column;
    return extent;
  }
  auto cast = view.getDefiningOp<memref::ReinterpretCastOp>();
  auto offset = cast ? getOffset(cast.getMixedOffsets().front()) : std::nullopt;
  if (!offset)
    return std::nullopt;
  extent.memory = cast.getSource();
  extent.offset = *offset;
  return extent;
}

bool ViewExtent::operator==(const ViewExtent &other) const {
  return memory == other.memory && offset == other.offset &&
         rows == other.rows && columns == other.columns &&
         (rows == 1 || stride == other.stride);
}

/// Rows may be in descending order.
int64_t ViewExtent::begin() const {
  return offset + std::min<int64_t>(0, (rows - 1) * stride);
}

int64_t ViewExtent::end() const {
  return offset + std::max<int64_t>(0, (rows - 1) * stride) + columns;
}

bool ViewExtent::isApartFrom(const ViewExtent &other) const {
  if (memory != other.memory || end() <= other.begin() ||
      other.end() <= begin())
    return true;
  if (stride != other.stride || stride <= 0)
    return false;
  // Columns beside each other in the same rows.
  const int64_t distance = ((other.offset - offset) % stride + stride) % stride;
  return columns <= distance && distance + other.columns <= stride;
}
