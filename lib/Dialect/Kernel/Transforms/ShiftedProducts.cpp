//===- ShiftedProducts.cpp - Merge matmuls of two time offsets ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A component with two time offsets computes Y[r] += X1[r] W1 and
// Y[r + shift] += X2[r] W2. The rows that both add to are read and written
// once, by a matmul with two inputs; the first and the last rows have one.
//
//===----------------------------------------------------------------------===//

#include "PanelLoop.h"

#include "nnet3/Dialect/Kernel/IR/CreateView.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::kernel;

/// Minimum number of rows that both matmuls compute, relative to the shift.
static constexpr int64_t kLeastShared = 8;

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

/// Whether the matmul of `pack` follows it, is the only one, and stores sums of
/// one input with neighbouring columns.
static bool isPlain(PackOp pack, GemmOp gemm) {
  if (gemm.getWeights() != pack.getPanels() || findReaders(pack).size() != 1 ||
      gemm.getInputs().size() != 1 || !gemm.getEpilogueInputs().empty() ||
      gemm.getEpilogue().front().getOperations().size() != 1)
    return false;
  auto type = dyn_cast<MemRefType>(gemm.getInputs().front().getType());
  auto input = getExtent(gemm.getInputs().front());
  return type && type.getRank() == 2 && input &&
         type.getStridesAndOffset().first.back() == 1 &&
         getExtent(pack.getInput()) && getExtent(gemm.getOutput());
}

/// Whether the accumulators start with the output.
static bool adds(GemmOp op) {
  return op.getInit() && *getExtent(op.getInit()) == *getExtent(op.getOutput());
}

std::optional<ShiftedProducts>
ShiftedProducts::get(PackOp pack, int64_t threads, int64_t bytes) {
  auto first = dyn_cast_or_null<GemmOp>(getNextAccess(pack));
  auto otherPack =
      first ? dyn_cast_or_null<PackOp>(getNextAccess(first)) : PackOp();
  auto second =
      otherPack ? dyn_cast_or_null<GemmOp>(getNextAccess(otherPack)) : GemmOp();
  if (!second || !isPlain(pack, first) || !isPlain(otherPack, second) ||
      (first.getInit() && !adds(first)) || !adds(second) || second.getBias())
    return std::nullopt;
  const ViewExtent a = *getExtent(first.getOutput()),
                   b = *getExtent(second.getOutput());
  if (a.memory != b.memory || a.rows != b.rows || a.stride != b.stride ||
      a.columns != b.columns || a.stride <= 0 || b.offset < a.offset ||
      (b.offset - a.offset) % a.stride != 0)
    return std::nullopt;
  ShiftedProducts result = {
      {pack, otherPack}, {first, second}, (b.offset - a.offset) / a.stride};
  const int64_t width = pack.getPanels().getType().getDimSize(2),
                size = width * (getDepth(first) + getDepth(second));
  if (width != otherPack.getPanels().getType().getDimSize(2) ||
      pack.getNumColumns() != otherPack.getNumColumns() ||
      a.rows < (1 + kLeastShared) * result.shift ||
      size * int64_t(sizeof(float)) > bytes ||
      size * threads > pack.getPanels().getType().getNumElements())
    return std::nullopt;
  for (GemmOp gemm : result.gemms) {
    if (!computesPanels(gemm, pack.getPanels()))
      return std::nullopt;
    for (GemmOp other : result.gemms)
      if (!areApart(gemm.getInputs().front(), other.getOutput()))
        return std::nullopt;
    for (PackOp each : result.packs)
      if (!areApart(each.getInput(), gemm.getOutput()) ||
          !areApart(each.getInput(), pack.getPanels()))
        return std::nullopt;
  }
  return result;
}

//===----------------------------------------------------------------------===//
// The loop
//===----------------------------------------------------------------------===//

namespace {
class ShiftedLoop : public PanelLoop {
public:
  ShiftedLoop(const ShiftedProducts &products, int64_t threads)
      : PanelLoop(products.gemms[1], products.packs[0],
                  getDepth(products.gemms[0]) + getDepth(products.gemms[1]),
                  threads),
        products(products) {}

private:
  void emitPanel(const Columns &columns) override;
  /// Returns rows `first`, ..., `first` + `count` - 1 of the input.
  Value getInput(GemmOp gemm, int64_t first, int64_t count);

  const ShiftedProducts &products;
};
} // namespace

Value ShiftedLoop::getInput(GemmOp gemm, int64_t first, int64_t count) {
  const ViewExtent extent = *getExtent(gemm.getInputs().front());
  return createView(
      b, b.getLoc(), extent.memory,
      arith::ConstantIndexOp::create(b, extent.offset + first * extent.stride),
      {count, extent.columns}, {extent.stride, 1});
}

void ShiftedLoop::emitPanel(const Columns &columns) {
  GemmOp first = products.gemms[0], second = products.gemms[1];
  const int64_t depth = getDepth(first), otherDepth = getDepth(second),
                shift = products.shift,
                rows = getExtent(first.getOutput())->rows;
  packRows(products.packs[0], 0, createPanel(0, depth, columns), columns);
  packRows(products.packs[1], 0, createPanel(depth, otherDepth, columns),
           columns);
  Value panel = createPanel(0, depth + otherDepth, columns);
  multiply(
      first,
      {getInput(first, shift, rows - shift), getInput(second, 0, rows - shift)},
      {0, depth}, panel, RowRange{shift, rows - shift}, columns);
  if (shift == 0)
    return;
  multiply(first, getInput(first, 0, shift), {0}, panel, RowRange{0, shift},
           columns);
  multiply(second, getInput(second, rows - shift, shift), {depth}, panel,
           RowRange{rows - shift, shift}, columns);
}

void ShiftedProducts::merge(int64_t threads) const {
  ShiftedLoop(*this, threads).create();
  for (GemmOp gemm : gemms)
    gemm.erase();
  for (PackOp pack : packs)
    pack.erase();
}
