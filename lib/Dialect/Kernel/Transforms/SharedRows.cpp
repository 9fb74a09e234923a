//===- SharedRows.cpp - Pack rows of two matmuls once ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The gradients of a component with two time offsets are dY^T X1 and dY^T X2,
// where X1 and X2 are rows of the same matrix, some rows apart. A panel of all
// these rows has the panels of both.
//
//===----------------------------------------------------------------------===//

#include "PanelLoop.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::kernel;

/// Minimum number of rows that a panel has, relative to the shift.
static constexpr int64_t kLeastRows = 8;

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

/// Returns memory that contains a matrix, which may be a part of a view or
/// transposed.
static std::optional<ViewExtent> getBounds(Value view) {
  if (auto part = view.getDefiningOp<memref::SubViewOp>())
    view = part.getSource();
  auto cast = view.getDefiningOp<memref::ReinterpretCastOp>();
  if (!cast)
    return std::nullopt;
  auto offset = getConstantIntValue(cast.getMixedOffsets().front());
  auto [strides, unused] = cast.getType().getStridesAndOffset();
  if (!offset || llvm::any_of(strides, [](int64_t stride) {
        return ShapedType::isDynamic(stride) || stride < 0;
      }))
    return std::nullopt;
  int64_t last = 0;
  for (auto [size, stride] :
       llvm::zip_equal(cast.getType().getShape(), strides))
    last += (size - 1) * stride;
  return ViewExtent{cast.getSource(), *offset, 1, 0, last + 1};
}

/// Whether the matmul stores sums of its inputs or adds them to its output.
static bool isPlain(GemmOp op) {
  auto output = getExtent(op.getOutput());
  return output && !op.getBias() && op.getEpilogueInputs().empty() &&
         op.getEpilogue().front().getOperations().size() == 1 &&
         (!op.getInit() || getExtent(op.getInit()) == output);
}

/// Whether neither matmul writes what the other one accesses.
static bool canSwap(GemmOp first, GemmOp second) {
  auto isApart = [](GemmOp op, GemmOp other) {
    return llvm::all_of(other.getInputs(), [&](Value input) {
      auto bounds = getBounds(input);
      return bounds && bounds->isApartFrom(*getExtent(op.getOutput()));
    });
  };
  return areApart(first.getOutput(), second.getOutput()) &&
         isApart(first, second) && isApart(second, first);
}

/// Whether the matmuls multiply the same rows of their panels.
static bool haveSameRows(GemmOp first, GemmOp second) {
  return first.getPanelRows() == second.getPanelRows() &&
         getDepth(first) == getDepth(second);
}

/// Returns by how many rows `second` is below `first` in a matrix; nothing if
/// they are not such rows.
static std::optional<int64_t> getShift(PackOp first, PackOp second) {
  auto a = getExtent(first.getInput()), b = getExtent(second.getInput());
  if (!a || !b || first.getTransposed() || second.getTransposed() ||
      a->memory != b->memory || a->rows != b->rows || a->stride <= 0 ||
      a->stride != b->stride || a->columns != b->columns ||
      (b->offset - a->offset) % a->stride != 0 ||
      first.getPanels().getType() != second.getPanels().getType())
    return std::nullopt;
  return (b->offset - a->offset) / a->stride;
}

std::optional<SharedRows> SharedRows::get(PackOp pack, int64_t threads) {
  SharedRows result = {{pack, {}}, {findReaders(pack), {}}, 0};
  auto &[first, second] = result.gemms;
  if (first.empty())
    return std::nullopt;
  PackOp other =
      dyn_cast_or_null<PackOp>(getNextAccess(first.back().getOperation()));
  auto shift = other ? getShift(pack, other) : std::nullopt;
  if (!shift)
    return std::nullopt;
  second = findReaders(other);
  result.packs[1] = other;
  result.shift = *shift;
  if (first.size() != second.size())
    return std::nullopt;
  const int64_t apart = std::abs(*shift),
                width = pack.getPanels().getType().getDimSize(2),
                size = pack.getPanels().getType().getNumElements();
  for (auto [a, b] : llvm::zip_equal(first, second))
    if (!isPlain(a) || !isPlain(b) || !haveSameRows(a, b) ||
        !computesPanels(a, pack.getPanels()) ||
        !computesPanels(b, pack.getPanels()) ||
        getDepth(a) < kLeastRows * apart ||
        (getDepth(a) + apart) * width * threads > size)
      return std::nullopt;
  for (GemmOp a : first)
    for (GemmOp b : second)
      if (!canSwap(a, b))
        return std::nullopt;
  for (const SmallVector<GemmOp> &each : result.gemms)
    for (GemmOp gemm : each)
      for (PackOp rows : result.packs)
        if (!areApart(gemm.getOutput(), rows.getInput()))
          return std::nullopt;
  return result;
}

//===----------------------------------------------------------------------===//
// The loop
//===----------------------------------------------------------------------===//

namespace {
class SharedLoop : public PanelLoop {
public:
  SharedLoop(const SharedRows &shared, int64_t depth, int64_t threads)
      : PanelLoop(shared.gemms[1].back(), shared.packs[0], depth, threads),
        shared(shared) {}

private:
  void emitPanel(const Columns &columns) override;
  void multiplyRows(GemmOp gemm, int64_t offset, Value panel,
                    const Columns &columns);

  const SharedRows &shared;
};
} // namespace

void SharedLoop::emitPanel(const Columns &columns) {
  // The rows of one matmul begin the panel; the other's begin `apart` below.
  const int64_t apart = std::abs(shared.shift);
  const unsigned upper = shared.shift < 0 ? 1 : 0;
  for (auto [a, b] :
       llvm::zip_equal(shared.gemms[upper], shared.gemms[1 - upper])) {
    GemmOp first = a, second = b;
    const int64_t begin = first.getPanelRows().front();
    Value panel = createPanel(0, getDepth(first) + apart, columns);
    packRows(shared.packs[upper], begin, panel, columns);
    multiplyRows(first, -begin, panel, columns);
    multiplyRows(second, apart - begin, panel, columns);
  }
}

/// Multiplies the rows of the panel that are `offset` behind the panel rows of
/// `gemm`.
void SharedLoop::multiplyRows(GemmOp gemm, int64_t offset, Value panel,
                              const Columns &columns) {
  auto rows = llvm::map_to_vector(gemm.getPanelRows(),
                                  [&](int64_t row) { return row + offset; });
  multiply(gemm, gemm.getInputs(), rows, panel, /*rows=*/std::nullopt, columns);
}

void SharedRows::merge(int64_t threads) const {
  int64_t depth = 0;
  for (GemmOp gemm : gemms[0])
    depth = std::max(depth, getDepth(gemm) + std::abs(shift));
  SharedLoop(*this, depth, threads).create();
  for (const SmallVector<GemmOp> &each : gemms)
    for (GemmOp gemm : each)
      gemm.erase();
  for (PackOp pack : packs)
    pack.erase();
}
