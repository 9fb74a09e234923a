//===- LimitDerivativeTimes.cpp - Limit the times of derivatives ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spec: optimize.md 4.1. Truncated backpropagation through time: derivatives of
// rows outside of the range are zero, so no command needs to compute them.
//
//===----------------------------------------------------------------------===//

#include "LimitedCommands.h"
#include "nnet3/Dialect/Nnet3/Analysis/CommandAnalysis.h"
#include "nnet3/Dialect/Nnet3/Analysis/PassCount.h"
#include "nnet3/Dialect/Nnet3/IR/DebugInfo.h"
#include "nnet3/Optimize/Passes.h"
#include "nnet3/Optimize/Views.h"

#include "llvm/ADT/TypeSwitch.h"

namespace mlir::nnet3 {
#define GEN_PASS_DEF_NNET3LIMITDERIVATIVETIMES
#include "nnet3/Optimize/Passes.h.inc"
} // namespace mlir::nnet3

using namespace mlir;
using namespace mlir::nnet3;
using P = ComponentProperties;

/// Returns the node's rows that `matrix` holds; emits an error if these are
/// unknown.
static FailureOr<IndexesAttr> getIndexes(Value matrix) {
  Operation *op = matrix.getDefiningOp();
  auto indexes = op->getAttrOfType<IndexesAttr>(kDebugIndexesAttr);
  if (!indexes)
    return op->emitOpError("expects debug information about the rows of the "
                           "matrix to limit derivative times");
  int64_t rows = cast<MemRefType>(matrix.getType()).getDimSize(0);
  if (indexes.size() != rows)
    return op->emitOpError("debug information has ")
           << indexes.size() << " Indexes for " << rows << " rows";
  return indexes;
}

/// Restricts `matrix` to `count` rows from row `begin` on. All uses except
/// deallocations are views of these rows.
static void cutMatrix(Value matrix, int64_t begin, int64_t count) {
  Operation *old = matrix.getDefiningOp();
  auto type = cast<MemRefType>(matrix.getType());
  OpBuilder builder(old);
  Operation *cut = builder.clone(*old);
  Value result = cut->getResult(0);
  result.setType(
      MemRefType::get({count, type.getDimSize(1)}, type.getElementType()));
  cut->setAttr(kDebugIndexesAttr,
               sliceIndexes(cut->getAttrOfType<IndexesAttr>(kDebugIndexesAttr),
                            begin, count));
  for (OpOperand &use : llvm::make_early_inc_range(matrix.getUses())) {
    auto view = dyn_cast<SubMatrixOp>(use.getOwner());
    if (!view) {
      use.set(result);
      continue;
    }
    MatrixWindow window = MatrixWindow::get(view);
    window.matrix = result;
    window.row -= begin;
    builder.setInsertionPoint(view);
    view.getResult().replaceAllUsesWith(
        createView(builder, view.getLoc(), window));
    view.erase();
  }
  old->erase();
}

namespace {
struct LimitDerivativeTimes
    : public nnet3::impl::Nnet3LimitDerivativeTimesBase<LimitDerivativeTimes> {
  using Base::Base;

  void runOnCommands() override {
    if (minDerivTime == std::numeric_limits<int32_t>::min() &&
        maxDerivTime == std::numeric_limits<int32_t>::max() &&
        maxDerivTimeRelative == std::numeric_limits<int32_t>::max())
      return markAllAnalysesPreserved();
    if (failed(findMatrices()))
      return signalPassFailure();
    if (llvm::all_of(matrices, [](const auto &entry) {
          return !entry.second.isDeriv || entry.second.times.mask.isAll();
        }))
      return markAllAnalysesPreserved();
    ComponentTable components(getOperation());
    CommandLimiter limiter(components, matrices);
    for (Operation &op :
         llvm::make_early_inc_range(getOperation().getBody().front()))
      limiter.limit(&op);
    dropUnread(components);
    dropMemos();
    normalizeViews(getOperation());
    cutMatrices();
    normalizeViews(getOperation());
    numLimited += limiter.getNumLimited();
  }

private:
  LogicalResult findMatrices();
  SmallVector<Operation *> getAllocatedDerivs();
  FailureOr<int32_t> getMaxTime();
  void dropUnread(ComponentTable &components);
  void dropMemos();
  void cutMatrices();

  /// All matrices of the computation; only looked up.
  DenseMap<Value, MatrixRows> matrices;
  PassCount numLimited{"commands limited"};
  PassCount numMatrices{"matrices cut or dropped"};
};
} // namespace

/// Returns the end of the range. A relative end counts from the largest t of an
/// output.
FailureOr<int32_t> LimitDerivativeTimes::getMaxTime() {
  if (maxDerivTimeRelative == std::numeric_limits<int32_t>::max())
    return int32_t(maxDerivTime);
  int32_t last = kNoTime;
  for (auto op : getOperation().getBody().getOps<ProvideOutputOp>()) {
    Operation *definition = op.getMatrix().getDefiningOp();
    if (definition->hasAttr(kDebugDerivAttr))
      continue;
    FailureOr<IndexesAttr> indexes = getIndexes(op.getMatrix());
    if (failed(indexes))
      return failure();
    last = std::max(last, getLargestTime(*indexes));
  }
  return shifted(last, maxDerivTimeRelative);
}

LogicalResult LimitDerivativeTimes::findMatrices() {
  matrices.clear();
  FailureOr<int32_t> max = getMaxTime();
  if (failed(max))
    return failure();
  if (*max < minDerivTime)
    return getOperation().emitOpError("expects derivatives up to a t of at "
                                      "least ")
           << int32_t(minDerivTime) << ", where they begin, but got " << *max;
  for (Operation &op : getOperation().getBody().front())
    for (Value result : op.getResults()) {
      if (isa<SubMatrixOp>(op) || !isa<MemRefType>(result.getType()))
        continue;
      FailureOr<IndexesAttr> indexes = getIndexes(result);
      if (failed(indexes))
        return failure();
      matrices[result] = {RowTimes(*indexes, minDerivTime, *max),
                          op.hasAttr(kDebugDerivAttr)};
    }
  return success();
}

/// Returns the derivative matrices that are neither inputs nor outputs.
SmallVector<Operation *> LimitDerivativeTimes::getAllocatedDerivs() {
  SmallVector<Operation *> result;
  for (Operation &op : getOperation().getBody().front())
    if (isa<AllocMatrixZeroedOp, AllocMatrixUndefinedOp>(op) &&
        op.hasAttr(kDebugDerivAttr))
      result.push_back(&op);
  return result;
}

/// Whether a command only copies, adds or fills rows.
static bool onlyMovesRows(Operation *op) {
  return isa<SetConstOp, MatrixCopyOp, MatrixAddOp, CopyRowsOp, AddRowsOp,
             CopyRowsMultiOp, AddRowsMultiOp, CopyToRowsMultiOp,
             AddToRowsMultiOp, AddRowRangesOp>(op);
}

/// Removes the destinations that are not read, if others are.
template <typename OpTy>
static void dropUnreadDests(OpTy op, function_ref<bool(Value)> isUnread) {
  SmallVector<int32_t> numbers; // new ones; -1 for removed destinations
  SmallVector<Value> kept;
  for (Value dest : op.getDests()) {
    numbers.push_back(isUnread(dest) ? -1 : int32_t(kept.size()));
    if (numbers.back() >= 0)
      kept.push_back(dest);
  }
  if (kept.empty() || kept.size() == numbers.size())
    return;
  SmallVector<RowRef> rows = op.getRows().expand();
  for (RowRef &row : rows)
    if (!row.isNone())
      row = numbers[row.source] < 0 ? RowRef::none()
                                    : RowRef{numbers[row.source], row.row};
  op.setRowsAttr(RowTableAttr::get(op.getContext(), rows));
  op.getDestsMutable().assign(kept);
}

/// Removes commands whose results are not read: the first steps in range pass
/// derivatives on to steps out of range. Only components with parameters can do
/// without an input derivative.
void LimitDerivativeTimes::dropUnread(ComponentTable &components) {
  DenseSet<Value> unread;
  for (Operation *definition : getAllocatedDerivs())
    unread.insert(definition->getResult(0));
  auto isUnread = [&](Value value) {
    return unread.contains(MatrixWindow::get(value).matrix);
  };
  for (Operation &op : llvm::make_early_inc_range(
           llvm::reverse(getOperation().getBody().front()))) {
    llvm::TypeSwitch<Operation *>(&op)
        .Case<CopyToRowsMultiOp, AddToRowsMultiOp>(
            [&](auto rows) { dropUnreadDests(rows, isUnread); });
    auto accesses = getOperandAccesses(&op, components);
    bool isDead =
        onlyMovesRows(&op) &&
        llvm::all_of(accesses, [&](const OperandAccess &access) {
          return access.kind == Access::Read || isUnread(access.value);
        });
    auto backprop = dyn_cast<BackpropOp>(op);
    if (backprop && backprop.getInputDeriv() &&
        isUnread(backprop.getInputDeriv()) &&
        has(components.getProperties(backprop.getComponent()), P::Updatable)) {
      backprop.getInputDerivMutable().clear();
      isDead = !backprop.getUpdate();
    }
    if (isDead) {
      op.erase();
      continue;
    }
    for (const OperandAccess &access : accesses)
      if (access.kind == Access::Read)
        unread.erase(MatrixWindow::get(access.value).matrix);
  }
}

/// Removes memos whose readers have been erased.
void LimitDerivativeTimes::dropMemos() {
  for (auto op : llvm::make_early_inc_range(
           getOperation().getBody().getOps<PropagateOp>())) {
    if (!op.getMemo() || !op.getMemo().use_empty())
      continue;
    OpBuilder builder(op);
    auto propagate = PropagateOp::create(
        builder, op.getLoc(), /*memo=*/Type(), op.getComponentAttr(),
        op.getInput(), op.getOutput(), op.getPrecomputedAttr(),
        op.getDrawAttr());
    propagate->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    op.erase();
  }
}

/// Whether all uses of `matrix` access rows in range only.
static bool isUsedInRange(Value matrix, const RowTimes &times) {
  return llvm::all_of(matrix.getUsers(), [&](Operation *user) {
    if (isa<DeallocMatrixOp>(user))
      return true;
    auto view = dyn_cast<SubMatrixOp>(user);
    if (!view)
      return false;
    MatrixWindow window = MatrixWindow::get(view);
    return window.row >= times.begin && window.row + window.rows <= times.end;
  });
}

/// Cuts derivatives to the rows in range if no other rows are used.
void LimitDerivativeTimes::cutMatrices() {
  for (Operation *definition : getAllocatedDerivs()) {
    Value matrix = definition->getResult(0);
    const RowTimes &times = matrices.find(matrix)->second.times;
    if (llvm::all_of(matrix.getUsers(), llvm::IsaPred<DeallocMatrixOp>)) {
      for (Operation *user : llvm::make_early_inc_range(matrix.getUsers()))
        user->erase();
      definition->erase();
      ++numMatrices;
    } else if (!times.mask.isAll() && isUsedInRange(matrix, times)) {
      cutMatrix(matrix, times.begin, times.end - times.begin);
      ++numMatrices;
    }
  }
}
