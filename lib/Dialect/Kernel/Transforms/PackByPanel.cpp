//===- PackByPanel.cpp - Matmuls that pack one panel at a time ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PanelLoop.h"

#include "nnet3/Dialect/Kernel/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace mlir::nnet3::kernel {
#define GEN_PASS_DEF_KERNELPACKBYPANEL
#include "nnet3/Dialect/Kernel/Transforms/Passes.h.inc"
} // namespace mlir::nnet3::kernel

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::kernel;

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
/// The loop for matmuls that read the panels of one matrix.
class OneMatrixLoop : public PanelLoop {
public:
  OneMatrixLoop(PackOp pack, ArrayRef<GemmOp> gemms, int64_t threads)
      : PanelLoop(gemms.back(), pack, pack.getPanels().getType().getDimSize(1),
                  threads),
        pack(pack), gemms(gemms) {}

private:
  void emitPanel(const Columns &columns) override {
    for (GemmOp gemm : gemms)
      emit(gemm, columns);
  }
  void emit(GemmOp gemm, const Columns &columns);

  PackOp pack;
  ArrayRef<GemmOp> gemms;
};
} // namespace

/// Packs the rows that the matmul reads, and multiplies them.
void OneMatrixLoop::emit(GemmOp gemm, const Columns &columns) {
  const int64_t first = gemm.getPanelRows().front();
  auto rows = llvm::map_to_vector(gemm.getPanelRows(),
                                  [&](int64_t row) { return row - first; });
  Value panel = createPanel(0, getDepth(gemm), columns);
  packRows(pack, first, panel, columns);
  multiply(gemm, gemm.getInputs(), rows, panel, /*rows=*/std::nullopt, columns);
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct PackByPanel : public kernel::impl::KernelPackByPanelBase<PackByPanel> {
  void runOnOperation() override;
};
} // namespace

static TargetAttr getTarget(func::FuncOp function) {
  auto module = function->getParentOfType<ModuleOp>();
  return module ? module->getAttrOfType<TargetAttr>(kTargetAttr) : TargetAttr();
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
  TargetAttr target = getTarget(function);
  const int64_t threads = target ? target.getThreads() : 1;
  // A panel stays in the second-level cache while all rows are multiplied.
  const int64_t bytes = target ? target.getL2Bytes() / 4 : 0;
  llvm::SmallPtrSet<Operation *, 16> merged;
  for (PackOp pack :
       llvm::to_vector(function.getBody().front().getOps<PackOp>())) {
    if (merged.contains(pack))
      continue;
    ArrayRef<int64_t> panels = pack.getPanels().getType().getShape();
    if (pack.getNumColumns() < 2 * panels[2] ||
        !canShareOut(pack.getNumColumns() / panels[2], threads) ||
        !llvm::all_of(
            kept, [&](Value view) { return areApart(view, pack.getPanels()); }))
      continue;
    if (auto shifted = ShiftedProducts::get(pack, threads, bytes)) {
      merged.insert(shifted->packs[1]);
      shifted->merge(threads);
      ++numMerged;
      continue;
    }
    if (auto shared = SharedRows::get(pack, threads)) {
      merged.insert(shared->packs[1]);
      shared->merge(threads);
      ++numShared;
      continue;
    }
    SmallVector<GemmOp> gemms = findReaders(pack);
    if (!canInterleave(pack, gemms))
      continue;
    OneMatrixLoop(pack, gemms, threads).create();
    for (GemmOp gemm : gemms)
      gemm.erase();
    pack.erase();
  }
}
