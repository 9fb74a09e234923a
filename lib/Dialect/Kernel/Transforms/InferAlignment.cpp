//===- InferAlignment.cpp - Infer the alignment of device kernels ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Dialect/Kernel/IR/KernelDialect.h"
#include "nnet3/Dialect/Kernel/Transforms/Passes.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

#include <numeric>

namespace mlir::nnet3::kernel {
#define GEN_PASS_DEF_KERNELINFERALIGNMENT
#include "nnet3/Dialect/Kernel/Transforms/Passes.h.inc"
} // namespace mlir::nnet3::kernel

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::kernel;

namespace {
struct KernelInferAlignment
    : public kernel::impl::KernelInferAlignmentBase<KernelInferAlignment> {
  void runOnOperation() override;

private:
  int64_t getAlignment(ValueRange operands, int64_t columns);
  int64_t getAlignment(Value view);
  int64_t getAlignment(IndexedRowsOp rows);

  std::vector<int32_t> tables; ///< entries of all row tables
};
} // namespace

/// Maximum number of elements that a thread loads at once.
static constexpr int64_t kMostAlignment = 4;

/// Returns the alignment of the offsets in a table.
int64_t KernelInferAlignment::getAlignment(IndexedRowsOp rows) {
  auto begin = getConstantIntValue(rows.getBegin());
  const int64_t numRows = rows.getType().getNumRows();
  if (!begin || *begin < 0 || *begin > int64_t(tables.size()) - numRows)
    return 1;
  int64_t alignment = kMostAlignment;
  for (int32_t entry : ArrayRef(tables).slice(*begin, numRows))
    if (entry >= 0)
      alignment = std::gcd(alignment, entry);
  return alignment;
}

/// Returns the largest divisor of `kMostAlignment` that divides the offsets of
/// all rows of `view`.
int64_t KernelInferAlignment::getAlignment(Value view) {
  if (auto rows = view.getDefiningOp<IndexedRowsOp>())
    return getAlignment(rows);
  if (auto narrow = view.getDefiningOp<NarrowOp>()) {
    const int64_t numbers = 32 / narrow.getType().getElementTypeBitWidth();
    return std::gcd(kMostAlignment, numbers * getAlignment(narrow.getMatrix()));
  }
  if (auto part = view.getDefiningOp<memref::SubViewOp>()) {
    auto column = getConstantIntValue(part.getMixedOffsets().back());
    return std::gcd(getAlignment(part.getSource()),
                    column.value_or(1) % kMostAlignment);
  }
  auto cast = view.getDefiningOp<memref::ReinterpretCastOp>();
  if (!cast)
    return 1;
  auto offset = getConstantIntValue(cast.getMixedOffsets().front());
  int64_t alignment =
      std::gcd(kMostAlignment, offset.value_or(1) % kMostAlignment);
  auto type = llvm::cast<MemRefType>(cast.getType());
  auto strides = type.getStridesAndOffset().first;
  for (int64_t i = 0; i < type.getRank() - 1; ++i)
    if (type.getDimSize(i) != 1)
      alignment = std::gcd(alignment, strides[i]);
  return alignment;
}

/// Returns the common alignment of all operands with several columns and of the
/// number of columns.
int64_t KernelInferAlignment::getAlignment(ValueRange operands,
                                           int64_t columns) {
  int64_t alignment = std::gcd(kMostAlignment, columns);
  for (Value view : operands) {
    auto type = dyn_cast<MemRefType>(view.getType());
    if (type && type.getRank() > 1 && type.getShape().back() == 1)
      continue;
    alignment = std::gcd(alignment, getAlignment(view));
    if (type)
      alignment = std::gcd(alignment, type.getShape().back());
  }
  return alignment;
}

void KernelInferAlignment::runOnOperation() {
  if (auto resources = ResourcesOp::find(getOperation()))
    tables = resources.getRowTableEntries();
  getOperation().walk([&](Operation *op) {
    if (auto map = dyn_cast<MapOp>(op)) {
      map.setAlignment(getAlignment(map.getOperands(), map.getNumColumns()));
    } else if (auto gemv = dyn_cast<GemvOp>(op)) {
      int64_t alignment = kMostAlignment;
      for (auto [row, weights] :
           llvm::zip_equal(gemv.getRows(), gemv.getWeights()))
        alignment =
            std::gcd(alignment, getAlignment({row, weights},
                                             getShape(row.getType()).second));
      gemv.setAlignment(alignment);
    }
  });
}
