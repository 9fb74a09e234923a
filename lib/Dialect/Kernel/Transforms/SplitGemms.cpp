//===- SplitGemms.cpp - Split matmuls by input columns --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ViewExtent.h"

#include "nnet3/Dialect/Kernel/IR/KernelDialect.h"
#include "nnet3/Dialect/Kernel/Transforms/Passes.h"

#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::nnet3::kernel {
#define GEN_PASS_DEF_KERNELSPLITGEMMS
#include "nnet3/Dialect/Kernel/Transforms/Passes.h.inc"
} // namespace mlir::nnet3::kernel

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::kernel;

/// Floats in a cache line.
static constexpr int64_t kLineColumns = 16;

/// Whether the output may hold partial sums before the epilogue reads its
/// inputs.
static bool canKeepSums(GemmOp op) {
  auto output = ViewExtent::get(op.getOutput());
  return llvm::all_of(op.getEpilogueInputs(), [&](Value input) {
    auto extent = ViewExtent::get(input);
    return output && extent && extent->isApartFrom(*output);
  });
}

/// Maximum number of input columns whose weights in one panel have at most
/// `bytes` bytes.
static int64_t getMostColumns(GemmOp op, int64_t bytes) {
  const int64_t width = op.getWeights().getType().getDimSize(2);
  return bytes / (width * int64_t(sizeof(float)));
}

/// Whether partial sums may be stored between matmuls: with few rows, that
/// costs as much as reading the weights.
static bool canSplit(GemmOp op) {
  return op.getPrecision() == Precision::F32 &&
         op.getOutput().getType().getDimSize(0) >=
             2 * int64_t(op.getTileRows()) &&
         canKeepSums(op);
}

/// Splits a matrix into slices of equally many columns, whole cache lines each.
static SmallVector<Value> splitColumns(PatternRewriter &rewriter, Value matrix,
                                       int64_t most) {
  auto [rows, columns] = getShape(matrix.getType());
  const int64_t count = llvm::divideCeil(columns, most);
  const int64_t length =
      llvm::alignTo(llvm::divideCeil(columns, count), kLineColumns);
  SmallVector<Value> parts;
  auto fold = [&](int64_t first, int64_t second) {
    return getAsIndexOpFoldResult(rewriter.getContext(), {first, second});
  };
  for (int64_t first = 0; first < columns; first += length)
    parts.push_back(memref::SubViewOp::create(
        rewriter, matrix.getLoc(), matrix, fold(0, first),
        fold(rows, std::min(length, columns - first)), fold(1, 1)));
  return parts;
}

namespace {
/// Splits an input with too many columns.
struct SplitInput : public OpRewritePattern<GemmOp> {
  SplitInput(MLIRContext *context, int64_t bytes)
      : OpRewritePattern(context), bytes(bytes) {}

  LogicalResult matchAndRewrite(GemmOp op,
                                PatternRewriter &rewriter) const override {
    const int64_t most =
        llvm::alignDown(getMostColumns(op, bytes), kLineColumns);
    auto isTooLong = [&](Value input) {
      return isa<MemRefType>(input.getType()) &&
             getShape(input.getType()).second > most;
    };
    if (most == 0 || !canSplit(op) || llvm::none_of(op.getInputs(), isTooLong))
      return failure();
    SmallVector<Value> inputs;
    SmallVector<int64_t> panelRows;
    rewriter.setInsertionPoint(op);
    for (auto [input, first] :
         llvm::zip_equal(op.getInputs(), op.getPanelRows())) {
      int64_t row = first;
      for (Value part : isTooLong(input) ? splitColumns(rewriter, input, most)
                                         : SmallVector<Value>{input}) {
        inputs.push_back(part);
        panelRows.push_back(row);
        row += getShape(part.getType()).second;
      }
    }
    rewriter.modifyOpInPlace(op, [&] {
      op.setPanelRows(panelRows);
      op.getInputsMutable().assign(inputs);
    });
    return success();
  }

private:
  int64_t bytes;
};

/// Splits the inputs over several matmuls: the output of one is the initial
/// value of the accumulators of the next.
struct SplitGemm : public OpRewritePattern<GemmOp> {
  SplitGemm(MLIRContext *context, int64_t bytes)
      : OpRewritePattern(context), bytes(bytes) {}

  LogicalResult matchAndRewrite(GemmOp op,
                                PatternRewriter &rewriter) const override {
    const unsigned count = countInputs(op);
    if (count == op.getInputs().size() || !canSplit(op))
      return failure();
    auto first = cast<GemmOp>(rewriter.clone(*op));
    first.getInputsMutable().assign(op.getInputs().take_front(count));
    first.setPanelRows(op.getPanelRows().take_front(count));
    first.getEpilogueInputsMutable().clear();
    Block *body =
        rewriter.createBlock(&first.getEpilogue(), first.getEpilogue().begin(),
                             {rewriter.getF32Type()}, {op.getLoc()});
    kernel::YieldOp::create(rewriter, op.getLoc(), body->getArguments());
    rewriter.eraseBlock(&first.getEpilogue().back());
    rewriter.modifyOpInPlace(op, [&] {
      op.setPanelRows(
          SmallVector<int64_t>(op.getPanelRows().drop_front(count)));
      op.getInputsMutable().assign(
          SmallVector<Value>(op.getInputs().drop_front(count)));
      op.getBiasMutable().clear();
      op.getInitMutable().assign(op.getOutput());
    });
    return success();
  }

private:
  /// Returns how many inputs have weights that stay in the cache while all rows
  /// are multiplied with a panel. Returns all of them if a single input exceeds
  /// the cache, as it must be split first.
  unsigned countInputs(GemmOp op) const {
    const int64_t limit = getMostColumns(op, bytes);
    int64_t depth = 0;
    unsigned count = 0;
    for (Value input : op.getInputs()) {
      const int64_t columns = getShape(input.getType()).second;
      if (columns > limit)
        return op.getInputs().size();
      depth += columns;
      count += depth <= limit;
    }
    return count;
  }

  int64_t bytes;
};

struct SplitGemms : public kernel::impl::KernelSplitGemmsBase<SplitGemms> {
  using Base::Base;

  void runOnOperation() override {
    int64_t limit = bytes;
    if (auto target = getOperation()
                          ->getParentOfType<ModuleOp>()
                          ->getAttrOfType<TargetAttr>(kTargetAttr);
        limit == 0 && target)
      limit = target.getL2Bytes() / 4;
    if (limit == 0)
      return;
    RewritePatternSet patterns(&getContext());
    patterns.add<SplitInput, SplitGemm>(&getContext(), limit);
    SmallVector<Operation *> gemms;
    getOperation().walk([&](GemmOp op) { gemms.push_back(op); });
    GreedyRewriteConfig config;
    config.setStrictness(GreedyRewriteStrictness::ExistingOps)
        .enableFolding(false)
        .enableConstantCSE(false);
    (void)applyOpPatternsGreedily(gemms, std::move(patterns), config);
  }
};
} // namespace
