//===- ViewExtent.cpp - The memory that a view covers ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ViewExtent.h"

#include "nnet3/Dialect/Kernel/IR/KernelDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::nnet3::kernel;

/// Largest offset, so that sums of offsets do not overflow.
static constexpr int64_t kMostOffset = int64_t(1) << 40;

/// Returns a constant offset, row or column number of a view.
static std::optional<int64_t> getOffset(OpFoldResult value) {
  auto offset = getConstantIntValue(value);
  return offset && *offset >= 0 && *offset <= kMostOffset ? offset
                                                          : std::nullopt;
}

/// Sets the offset of a view that moves by a constant in each round of a loop.
static bool setMovingOffset(ViewExtent &extent, OpFoldResult value) {
  Value sum = dyn_cast_if_present<Value>(value), first, product, round, step;
  if (!sum ||
      !matchPattern(sum, m_Op<arith::AddIOp>(matchers::m_Any(&first),
                                             matchers::m_Any(&product))) ||
      !matchPattern(product, m_Op<arith::MulIOp>(matchers::m_Any(&round),
                                                 matchers::m_Any(&step))))
    return false;
  scf::ForOp loop = scf::getForInductionVarOwner(round);
  if (!loop || getConstantIntValue(loop.getLowerBound()) != 0 ||
      getConstantIntValue(loop.getStep()) != 1)
    return false;
  auto offset = getOffset(first), count = getOffset(loop.getUpperBound());
  auto distance = getConstantIntValue(step);
  if (!offset || !count || !distance || *count == 0 ||
      std::abs(*distance) > kMostOffset / *count)
    return false;
  extent.offset = *offset;
  extent.step = *distance;
  extent.distance = *distance * (*count - 1);
  return true;
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
    // A subview must have all rows of its source.
    auto whole = get(part.getSource());
    auto column = getOffset(part.getMixedOffsets().back());
    if (!whole || !column || whole->rows != extent.rows)
      return std::nullopt;
    whole->offset += *column;
    whole->columns = extent.columns;
    return whole;
  }
  auto cast = view.getDefiningOp<memref::ReinterpretCastOp>();
  if (!cast)
    return std::nullopt;
  extent.memory = cast.getSource();
  OpFoldResult offset = cast.getMixedOffsets().front();
  if (auto constant = getOffset(offset))
    extent.offset = *constant;
  else if (!setMovingOffset(extent, offset))
    return std::nullopt;
  return extent;
}

bool ViewExtent::operator==(const ViewExtent &other) const {
  return memory == other.memory && offset == other.offset &&
         step == other.step && rows == other.rows && columns == other.columns &&
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
  if (memory != other.memory)
    return true;
  // Views with the same step keep their distance; others may meet.
  const bool alike = step == other.step;
  auto getBegin = [=](const ViewExtent &extent) {
    return extent.begin() + (alike ? 0 : std::min<int64_t>(0, extent.distance));
  };
  auto getEnd = [=](const ViewExtent &extent) {
    return extent.end() + (alike ? 0 : std::max<int64_t>(0, extent.distance));
  };
  if (getEnd(*this) <= getBegin(other) || getEnd(other) <= getBegin(*this))
    return true;
  if (stride != other.stride || stride <= 0 ||
      (step - other.step) % stride != 0)
    return false;
  // Disjoint columns of the same rows.
  const int64_t distance = ((other.offset - offset) % stride + stride) % stride;
  return columns <= distance && distance + other.columns <= stride;
}
