//===- PanelLoop.cpp - Loops over panels of packed weights ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PanelLoop.h"

#include "nnet3/Dialect/Kernel/IR/CreateView.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::kernel;

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

std::optional<ViewExtent> kernel::getExtent(Value view) {
  if (!isPanelsView(view.getType())) {
    auto extent = ViewExtent::get(view);
    return extent && extent->step == 0 ? extent : std::nullopt;
  }
  auto cast = view.getDefiningOp<memref::ReinterpretCastOp>();
  if (!cast)
    return std::nullopt;
  auto offset = getConstantIntValue(cast.getMixedOffsets().front());
  if (!offset)
    return std::nullopt;
  return ViewExtent{cast.getSource(), *offset, /*rows=*/1, /*stride=*/0,
                    cast.getType().getNumElements()};
}

bool kernel::areApart(Value first, Value second) {
  auto a = getExtent(first), b = getExtent(second);
  return a && b && a->isApartFrom(*b);
}

Operation *kernel::getNextAccess(Operation *op) {
  do
    op = op->getNextNode();
  while (op && isMemoryEffectFree(op));
  return op;
}

SmallVector<GemmOp> kernel::findReaders(PackOp pack) {
  SmallVector<GemmOp> readers;
  for (Operation *op = getNextAccess(pack); op; op = getNextAccess(op)) {
    auto gemm = dyn_cast<GemmOp>(op);
    if (gemm && gemm.getWeights() == pack.getPanels()) {
      readers.push_back(gemm);
      continue;
    }
    auto other = dyn_cast<PackOp>(op);
    if (!other || !readers.empty() ||
        !areApart(pack.getInput(), other.getPanels()) ||
        !areApart(pack.getPanels(), other.getPanels()) ||
        !areApart(pack.getPanels(), other.getInput()))
      break;
  }
  const size_t uses = llvm::range_size(pack.getPanels().getUses());
  return uses == readers.size() + 1 ? readers : SmallVector<GemmOp>();
}

int64_t kernel::getDepth(GemmOp op) {
  int64_t depth = 0;
  for (Value input : op.getInputs())
    depth += getShape(input.getType()).second;
  return depth;
}

/// Whether the inputs use consecutive rows of the panels.
static bool isContiguous(GemmOp op) {
  int64_t row = op.getPanelRows().front();
  for (auto [input, first] :
       llvm::zip_equal(op.getInputs(), op.getPanelRows())) {
    if (first != row)
      return false;
    row += getShape(input.getType()).second;
  }
  return true;
}

bool kernel::computesPanels(GemmOp op, Value panels) {
  SmallVector<Value> views = {op.getOutput()};
  llvm::append_range(views, op.getEpilogueInputs());
  for (Value view : {Value(op.getBias()), Value(op.getInit())})
    if (view)
      views.push_back(view);
  return op.getPrecision() == Precision::F32 &&
         op.getOutput().getType().getDimSize(0) >=
             2 * int64_t(op.getTileRows()) &&
         isContiguous(op) && llvm::all_of(views, [&](Value view) {
           return areApart(view, panels);
         });
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

Value PanelLoop::getPlace(int64_t first, const Columns &columns,
                          int64_t distance) {
  Value place =
      arith::ConstantIndexOp::create(b, first + columns.first * distance);
  if (!columns.number)
    return place;
  Value further = arith::MulIOp::create(
      b, columns.number, arith::ConstantIndexOp::create(b, width * distance));
  return arith::AddIOp::create(b, place, further);
}

Value PanelLoop::slice(Value view, std::optional<RowRange> rows,
                       const Columns &columns) {
  ViewExtent extent = *getExtent(view);
  const bool isVector = isVectorView(view.getType());
  SmallVector<int64_t> sizes = {columns.count}, strides = {1};
  if (!isVector) {
    if (rows) {
      extent.offset += rows->first * extent.stride;
      extent.rows = rows->count;
    }
    sizes.insert(sizes.begin(), extent.rows);
    strides.insert(strides.begin(), extent.stride);
  }
  return createView(b, b.getLoc(), extent.memory,
                    getPlace(extent.offset, columns), sizes, strides);
}

Value PanelLoop::createPanel(int64_t row, int64_t count,
                             const Columns &columns) {
  const ViewExtent extent = *getExtent(panels);
  Value memory = arith::ConstantIndexOp::create(b, extent.offset + row * width);
  if (columns.thread) {
    Value size = arith::ConstantIndexOp::create(b, width * depth);
    memory = arith::AddIOp::create(
        b, memory, arith::MulIOp::create(b, columns.thread, size));
  }
  return createView(b, b.getLoc(), extent.memory, memory, {1, count, width},
                    {count * width, width, 1});
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

void PanelLoop::packRows(PackOp pack, int64_t first, Value panel,
                         const Columns &columns) {
  const ViewExtent extent = *getExtent(pack.getInput());
  const int64_t count = cast<MemRefType>(panel.getType()).getDimSize(1);
  SmallVector<int64_t> sizes = {count, columns.count};
  int64_t ofRow = extent.stride, ofColumn = 1;
  if (pack.getTransposed()) {
    std::swap(sizes[0], sizes[1]);
    std::swap(ofRow, ofColumn);
  }
  Value place = getPlace(extent.offset + first * ofRow, columns, ofColumn);
  Value part = createView(b, b.getLoc(), extent.memory, place, sizes,
                          {extent.stride, 1});
  PackOp::create(b, pack.getTransposed(), part, panel);
}

GemmOp PanelLoop::multiply(GemmOp gemm, ValueRange inputs,
                           ArrayRef<int64_t> panelRows, Value panel,
                           std::optional<RowRange> rows,
                           const Columns &columns) {
  Value output = slice(gemm.getOutput(), rows, columns);
  SmallVector<Value> bias, init, epilogue;
  if (gemm.getBias())
    bias.push_back(slice(gemm.getBias(), rows, columns));
  if (gemm.getInit())
    init.push_back(slice(gemm.getInit(), rows, columns));
  for (Value input : gemm.getEpilogueInputs())
    epilogue.push_back(slice(input, rows, columns));
  auto part = cast<GemmOp>(b.clone(*gemm));
  // In the loop over panels, the threads share the panels instead.
  part.setParallel(gemm.getParallel() && !columns.number);
  part.getInputsMutable().assign(inputs);
  part.setPanelRows(panelRows);
  part.getWeightsMutable().assign(panel);
  part.getBiasMutable().assign(bias);
  part.getInitMutable().assign(init);
  part.getEpilogueInputsMutable().assign(epilogue);
  part.getOutputMutable().assign(output);
  return part;
}

//===----------------------------------------------------------------------===//
// The loop
//===----------------------------------------------------------------------===//

/// Creates the loop over `count` panels; with several threads, inside a
/// parallel loop with one iteration per thread, which computes its share of the
/// panels.
void PanelLoop::createLoop(int64_t count) {
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, value);
  };
  auto createPart = [&](Value begin, Value end, Value thread) {
    auto loop = scf::ForOp::create(b, begin, end, constant(1));
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    emitPanel({0, width, loop.getInductionVar(), thread});
  };
  if (threads == 1)
    return createPart(constant(0), constant(count), {});
  auto shares = scf::ParallelOp::create(b, ValueRange(constant(0)),
                                        ValueRange(constant(threads)),
                                        ValueRange(constant(1)));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(shares.getBody());
  Value thread = shares.getInductionVars()[0];
  auto getBegin = [&](Value number) -> Value {
    return arith::DivUIOp::create(
        b, arith::MulIOp::create(b, number, constant(count)),
        constant(threads));
  };
  Value begin = getBegin(thread);
  createPart(begin, getBegin(arith::AddIOp::create(b, thread, constant(1))),
             thread);
}

void PanelLoop::create() {
  const int64_t whole = columns / width, rest = columns % width;
  createLoop(whole);
  if (rest > 0)
    emitPanel({whole * width, rest});
}
