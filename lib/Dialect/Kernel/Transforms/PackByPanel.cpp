//===- PackByPanel.cpp - Matmuls that pack one panel at a time ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ViewExtent.h"

#include "nnet3/Dialect/Kernel/IR/CreateView.h"
#include "nnet3/Dialect/Kernel/IR/KernelDialect.h"
#include "nnet3/Dialect/Kernel/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlir::nnet3::kernel {
#define GEN_PASS_DEF_KERNELPACKBYPANEL
#include "nnet3/Dialect/Kernel/Transforms/Passes.h.inc"
} // namespace mlir::nnet3::kernel

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::kernel;

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// Returns the elements of a view at a constant offset. Panels are contiguous,
/// so they count as one row.
static std::optional<ViewExtent> getExtent(Value view) {
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

/// Whether two views are known to be disjoint.
static bool areApart(Value first, Value second) {
  auto a = getExtent(first), b = getExtent(second);
  return a && b && a->isApartFrom(*b);
}

//===----------------------------------------------------------------------===//
// Conditions for packing by panel
//===----------------------------------------------------------------------===//

/// Returns the matmuls that read the panels of `pack`, in order; none if other
/// operations prevent moving `pack` down to them.
static SmallVector<GemmOp> findReaders(PackOp pack) {
  SmallVector<GemmOp> readers;
  for (Operation *op = pack->getNextNode(); op; op = op->getNextNode()) {
    auto gemm = dyn_cast<GemmOp>(op);
    if (gemm && gemm.getWeights() == pack.getPanels()) {
      readers.push_back(gemm);
      continue;
    }
    if (isMemoryEffectFree(op))
      continue;
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

/// Whether `op` computes its columns independently, its operands do not overlap
/// `panels`, and it has enough rows that one call per panel costs little.
static bool computesPanels(GemmOp op, Value panels) {
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

/// Whether it is valid to let all `gemms` compute one panel of their common
/// output before the next panel is packed.
static bool canInterleave(PackOp pack, ArrayRef<GemmOp> gemms) {
  if (gemms.empty())
    return false;
  GemmOp first = gemms.front();
  return getExtent(pack.getInput()) && llvm::all_of(gemms, [&](GemmOp gemm) {
           return computesPanels(gemm, pack.getPanels()) &&
                  *getExtent(gemm.getOutput()) ==
                      *getExtent(first.getOutput()) &&
                  areApart(gemm.getOutput(), pack.getInput());
         });
}

//===----------------------------------------------------------------------===//
// The loop
//===----------------------------------------------------------------------===//

namespace {

/// `count` columns of the output, starting at column `first`, or `number`
/// panels after it if `number` is not null.
struct Columns {
  int64_t first, count;
  Value number = {};
  /// The thread into whose memory the panel is packed; null for the first.
  Value thread = {};
};

class PanelLoop {
public:
  PanelLoop(PackOp pack, ArrayRef<GemmOp> gemms, int64_t threads)
      : pack(pack), gemms(gemms), threads(threads),
        b(pack.getLoc(), gemms.back()),
        width(pack.getPanels().getType().getDimSize(2)) {}

  void create();

private:
  void createLoop(int64_t panels);
  void multiplyAll(const Columns &columns);
  void multiply(GemmOp gemm, const Columns &columns);
  Value packRows(int64_t first, int64_t depth, const Columns &columns);
  /// Returns the offset of the first of `columns`, if column 0 of the matrix is
  /// at offset `first` and columns are `distance` apart.
  Value getPlace(int64_t first, const Columns &columns, int64_t distance = 1);
  /// Returns these columns of a matrix or vector with the output's columns.
  Value slice(Value view, const Columns &columns);

  PackOp pack;
  ArrayRef<GemmOp> gemms;
  int64_t threads; ///< that share the panels
  ImplicitLocOpBuilder b;
  int64_t width; ///< of a panel
};

} // namespace

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

Value PanelLoop::slice(Value view, const Columns &columns) {
  const ViewExtent extent = *getExtent(view);
  const bool isVector = isVectorView(view.getType());
  SmallVector<int64_t> sizes = {columns.count}, strides = {1};
  if (!isVector) {
    sizes.insert(sizes.begin(), extent.rows);
    strides.insert(strides.begin(), extent.stride);
  }
  return createView(b, b.getLoc(), extent.memory,
                    getPlace(extent.offset, columns), sizes, strides);
}

/// Packs rows `first`, ..., `first` + `depth` - 1 of the panel of `columns`.
Value PanelLoop::packRows(int64_t first, int64_t depth,
                          const Columns &columns) {
  const ViewExtent extent = *getExtent(pack.getInput());
  const ViewExtent panels = *getExtent(pack.getPanels());
  Value memory = arith::ConstantIndexOp::create(b, panels.offset);
  if (columns.thread) {
    Value size = arith::ConstantIndexOp::create(
        b, width * pack.getPanels().getType().getDimSize(1));
    memory = arith::AddIOp::create(
        b, memory, arith::MulIOp::create(b, columns.thread, size));
  }
  Value panel = createView(b, b.getLoc(), panels.memory, memory,
                           {1, depth, width}, {depth * width, width, 1});
  SmallVector<int64_t> sizes = {depth, columns.count};
  int64_t ofRow = extent.stride, ofColumn = 1;
  if (pack.getTransposed()) {
    std::swap(sizes[0], sizes[1]);
    std::swap(ofRow, ofColumn);
  }
  Value place = getPlace(extent.offset + first * ofRow, columns, ofColumn);
  Value part = createView(b, b.getLoc(), extent.memory, place, sizes,
                          {extent.stride, 1});
  PackOp::create(b, pack.getTransposed(), part, panel);
  return panel;
}

void PanelLoop::multiply(GemmOp gemm, const Columns &columns) {
  const int64_t first = gemm.getPanelRows().front();
  SmallVector<int64_t> rows;
  int64_t depth = 0;
  for (auto [input, row] :
       llvm::zip_equal(gemm.getInputs(), gemm.getPanelRows())) {
    rows.push_back(row - first);
    depth += getShape(input.getType()).second;
  }
  Value panel = packRows(first, depth, columns);
  Value output = slice(gemm.getOutput(), columns);
  SmallVector<Value> bias, init, epilogue;
  if (gemm.getBias())
    bias.push_back(slice(gemm.getBias(), columns));
  if (gemm.getInit())
    init.push_back(slice(gemm.getInit(), columns));
  for (Value input : gemm.getEpilogueInputs())
    epilogue.push_back(slice(input, columns));
  auto part = cast<GemmOp>(b.clone(*gemm));
  // In the loop over panels, the threads share the panels instead.
  part.setParallel(gemm.getParallel() && !columns.number);
  part.setPanelRows(rows);
  part.getWeightsMutable().assign(panel);
  part.getBiasMutable().assign(bias);
  part.getInitMutable().assign(init);
  part.getEpilogueInputsMutable().assign(epilogue);
  part.getOutputMutable().assign(output);
}

void PanelLoop::multiplyAll(const Columns &columns) {
  for (GemmOp gemm : gemms)
    multiply(gemm, columns);
}

/// Creates the loop over panels; with several threads, inside a parallel loop
/// with one iteration per thread, which computes its share of the panels.
void PanelLoop::createLoop(int64_t panels) {
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, value);
  };
  auto createPart = [&](Value begin, Value end, Value thread) {
    auto loop = scf::ForOp::create(b, begin, end, constant(1));
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    multiplyAll({0, width, loop.getInductionVar(), thread});
  };
  if (threads == 1)
    return createPart(constant(0), constant(panels), {});
  auto shares = scf::ParallelOp::create(b, ValueRange(constant(0)),
                                        ValueRange(constant(threads)),
                                        ValueRange(constant(1)));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(shares.getBody());
  Value thread = shares.getInductionVars()[0];
  auto getBegin = [&](Value number) -> Value {
    return arith::DivUIOp::create(
        b, arith::MulIOp::create(b, number, constant(panels)),
        constant(threads));
  };
  Value begin = getBegin(thread);
  createPart(begin, getBegin(arith::AddIOp::create(b, thread, constant(1))),
             thread);
}

void PanelLoop::create() {
  const int64_t columns = pack.getNumColumns();
  const int64_t whole = columns / width, rest = columns % width;
  createLoop(whole);
  if (rest > 0)
    multiplyAll({whole * width, rest});
  for (GemmOp gemm : gemms)
    gemm.erase();
  pack.erase();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct PackByPanel : public kernel::impl::KernelPackByPanelBase<PackByPanel> {
  void runOnOperation() override;
};
} // namespace

static int64_t getNumThreads(func::FuncOp function) {
  auto module = function->getParentOfType<ModuleOp>();
  auto target =
      module ? module->getAttrOfType<TargetAttr>(kTargetAttr) : TargetAttr();
  return target ? target.getThreads() : 1;
}

/// Whether the threads get about the same number of panels each. Otherwise they
/// should share the rows after all panels are packed.
static bool canShareOut(int64_t panels, int64_t threads) {
  return panels >= threads &&
         10 * int64_t(llvm::alignTo(panels, threads)) <= 11 * panels;
}

/// Returns panels that are read without having been packed in the function.
static SmallVector<Value> findKeptPanels(func::FuncOp function) {
  SmallVector<Value> kept;
  function.walk([&](GemmOp op) {
    if (llvm::none_of(op.getWeights().getUsers(), llvm::IsaPred<PackOp>))
      kept.push_back(op.getWeights());
  });
  return kept;
}

void PackByPanel::runOnOperation() {
  func::FuncOp function = getOperation();
  if (function.isExternal())
    return;
  const SmallVector<Value> kept = findKeptPanels(function);
  const int64_t threads = getNumThreads(function);
  for (PackOp pack :
       llvm::to_vector(function.getBody().front().getOps<PackOp>())) {
    ArrayRef<int64_t> panels = pack.getPanels().getType().getShape();
    if (pack.getNumColumns() < 2 * panels[2] ||
        !canShareOut(pack.getNumColumns() / panels[2], threads) ||
        !llvm::all_of(
            kept, [&](Value view) { return areApart(view, pack.getPanels()); }))
      continue;
    SmallVector<GemmOp> gemms = findReaders(pack);
    if (canInterleave(pack, gemms))
      PanelLoop(pack, gemms, threads).create();
  }
}
