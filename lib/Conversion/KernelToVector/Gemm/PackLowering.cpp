//===- PackLowering.cpp - kernel.pack as loops over vectors ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Lowerings.h"
#include "nnet3/Conversion/KernelToVector/RowAddresses.h"

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::kernel;

/// Rows that are copied to one panel before the next panel, so that their pages
/// stay in the TLB.
static constexpr int64_t kRowsAtOnce = 8;
/// Elements per vector for targets with scalable vectors.
static constexpr int64_t kShortVector = 4;

namespace {

/// Emits the code of one operation.
class PackEmitter {
public:
  PackEmitter(ImplicitLocOpBuilder &b, PackOp op, TargetAttr target)
      : b(b), op(op), panels(op.getPanels().getType().getShape()),
        columns(op.getNumColumns()),
        length(target.isScalable() ? kShortVector : target.getVectorLength()),
        threads(target.getThreads()) {}

  LogicalResult emit();

private:
  void copyRows();
  void copyPart(Value row, Value panel, int64_t count);
  void transpose(Value from, Value to, int64_t rows, int64_t columns,
                 int64_t toStride, int64_t threads);
  void transposeBlock(Value from, Value to, int64_t toStride);
  void transposeRest(Value from, Value to, int64_t rows, int64_t columns,
                     int64_t toStride, int64_t threads);
  void fillRest();
  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(b, value);
  }

  ImplicitLocOpBuilder &b;
  PackOp op;
  ArrayRef<int64_t> panels; ///< number, depth and width of the panels
  int64_t columns;          ///< number of columns of all panels together
  int64_t length;           ///< elements per vector
  int64_t threads;          ///< that share the work
  Value source, dest;       ///< buffers of the matrix and of the panels
  Value from, to;           ///< offsets of the matrix and of the panels
  int64_t stride = 0;       ///< distance of the rows of the matrix
};

} // namespace

/// Copies `count` columns of the matrix row at `row` to the panel row at
/// `panel`. Prefetches the rows that follow: hardware prefetchers do not
/// predict rows of which few lines each are read.
void PackEmitter::copyPart(Value row, Value panel, int64_t count) {
  for (int64_t c = 0; c < count; c += length) {
    auto type = getVectorOrScalar(std::min(length, count - c), b.getF32Type());
    Value from = addIndex(b, row, c);
    storeTo(b, loadFrom(b, type, source, from), dest, addIndex(b, panel, c));
    memref::PrefetchOp::create(
        b, source, addIndex(b, from, kRowsAtOnce * stride), /*isWrite=*/false,
        /*localityHint=*/3, /*isDataCache=*/true);
  }
}

/// Packs a matrix whose rows are rows of panels.
void PackEmitter::copyRows() {
  const int64_t depth = panels[1], width = panels[2];
  const int64_t whole = columns / width, rest = columns % width;
  auto copy = [&](Value firstRow, int64_t rows) {
    auto copyPanel = [&](Value panel, int64_t count) {
      Value row = addIndex(b, from,
                           addIndex(b, mulIndex(b, firstRow, stride),
                                    mulIndex(b, panel, width)));
      Value place = addIndex(b, to,
                             addIndex(b, mulIndex(b, panel, depth * width),
                                      mulIndex(b, firstRow, width)));
      for (int64_t i = 0; i < rows; ++i)
        copyPart(addIndex(b, row, i * stride), addIndex(b, place, i * width),
                 count);
    };
    forEachStep(b, whole, 1, [&](Value panel) { copyPanel(panel, width); });
    if (rest > 0)
      copyPanel(index(whole), rest);
  };
  const int64_t groups = depth / kRowsAtOnce * kRowsAtOnce;
  forEachApart(b, threads, groups, kRowsAtOnce,
               [&](Value row) { copy(row, kRowsAtOnce); });
  if (groups < depth)
    forEachApart(b, threads, 1, 1,
                 [&](Value) { copy(index(groups), depth - groups); });
}

/// Transposes a square block in registers, one bit of the indices at a time.
void PackEmitter::transposeBlock(Value from, Value to, int64_t toStride) {
  auto type = VectorType::get({length}, b.getF32Type());
  SmallVector<Value> rows;
  for (int64_t i = 0; i < length; ++i)
    rows.push_back(
        vector::LoadOp::create(b, type, source, addIndex(b, from, i * stride)));
  for (int64_t bit = 1; bit < length; bit *= 2) {
    SmallVector<int64_t> low, high;
    for (int64_t c = 0; c < length; ++c) {
      low.push_back(c & bit ? length + c - bit : c);
      high.push_back(c & bit ? length + c : c + bit);
    }
    for (int64_t i = 0; i < length; ++i) {
      if (i & bit)
        continue;
      Value first = rows[i], second = rows[i + bit];
      rows[i] = vector::ShuffleOp::create(b, first, second, low);
      rows[i + bit] = vector::ShuffleOp::create(b, first, second, high);
    }
  }
  for (int64_t i = 0; i < length; ++i)
    vector::StoreOp::create(b, rows[i], dest, addIndex(b, to, i * toStride));
}

void PackEmitter::transposeRest(Value from, Value to, int64_t rows,
                                int64_t columns, int64_t toStride,
                                int64_t threads) {
  forEachApart(b, threads, columns, 1, [&](Value c) {
    forEachStep(b, rows, 1, [&](Value r) {
      Value place = addIndex(b, from, addIndex(b, mulIndex(b, r, stride), c));
      Value number = memref::LoadOp::create(b, source, place);
      memref::StoreOp::create(
          b, number, dest,
          addIndex(b, to, addIndex(b, mulIndex(b, c, toStride), r)));
    });
  });
}

/// Copies the block at `from`, transposed, to `to`; `threads` threads share it.
void PackEmitter::transpose(Value from, Value to, int64_t rows, int64_t columns,
                            int64_t toStride, int64_t threads) {
  const int64_t wholeRows = rows / length * length,
                wholeColumns = columns / length * length;
  // A panel has few rows: it stays in the cache, and the lines of the source
  // are read in sequence.
  forEachApart(b, threads, wholeRows, length, [&](Value r) {
    forEachStep(b, wholeColumns, length, [&](Value c) {
      transposeBlock(addIndex(b, from, addIndex(b, mulIndex(b, r, stride), c)),
                     addIndex(b, to, addIndex(b, mulIndex(b, c, toStride), r)),
                     toStride);
    });
  });
  transposeRest(addIndex(b, from, wholeColumns),
                addIndex(b, to, wholeColumns * toStride), wholeRows,
                columns - wholeColumns, toStride, threads);
  transposeRest(addIndex(b, from, wholeRows * stride),
                addIndex(b, to, wholeRows), rows - wholeRows, columns, toStride,
                threads);
}

void PackEmitter::fillRest() {
  const int64_t depth = panels[1], width = panels[2];
  const int64_t rest = columns % width;
  if (rest == 0)
    return;
  Value place = addIndex(b, to, columns / width * depth * width + rest);
  auto type = getVectorOrScalar(width - rest, b.getF32Type());
  Value zero = arith::ConstantOp::create(b, b.getZeroAttr(type));
  forEachApart(b, threads, depth, 1, [&](Value row) {
    storeTo(b, zero, dest, addIndex(b, place, mulIndex(b, row, width)));
  });
}

LogicalResult PackEmitter::emit() {
  auto rows = RowAddresses::get(b, op, op.getInput());
  auto [strides, offset] = op.getPanels().getType().getStridesAndOffset();
  auto packed = RowAddresses::get(b, op, op.getPanels());
  if (failed(rows) || failed(packed))
    return failure();
  source = rows->getMemory();
  dest = packed->getMemory();
  from = rows->getFirst(b);
  to = packed->getFirst(b);
  stride = rows->getStride();
  const int64_t depth = panels[1], width = panels[2];
  if (!op.getTransposed()) {
    copyRows();
    fillRest();
  } else {
    const int64_t whole = columns / width;
    auto pack = [&](Value panel, int64_t count, int64_t threads) {
      transpose(addIndex(b, from, mulIndex(b, panel, width * stride)),
                addIndex(b, to, mulIndex(b, panel, width * depth)), count,
                depth, width, threads);
    };
    // Threads share the panels, or the blocks of a single panel.
    forEachApart(b, whole > 1 ? threads : 1, whole, 1, [&](Value panel) {
      pack(panel, width, whole > 1 ? 1 : threads);
    });
    if (columns % width != 0)
      pack(index(whole), columns % width, threads);
    fillRest();
  }
  return success();
}

static LogicalResult lowerPack(PackOp op, TargetAttr target,
                               PatternRewriter &rewriter) {
  ImplicitLocOpBuilder b(op.getLoc(), rewriter);
  if (failed(PackEmitter(b, op, target).emit()))
    return failure();
  rewriter.eraseOp(op);
  return success();
}

void kernel::addPackLowering(RewritePatternSet &patterns, TargetAttr target) {
  patterns.add<TargetPattern<PackOp, lowerPack>>(patterns.getContext(), target);
}
