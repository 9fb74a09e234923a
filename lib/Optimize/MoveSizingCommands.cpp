//===- MoveSizingCommands.cpp - Allocate late, free early -----------------===//

#include "nnet3/Dialect/Nnet3/Analysis/CommandAnalysis.h"
#include "nnet3/Optimize/Passes.h"
#include "nnet3/Optimize/Views.h"

namespace mlir::nnet3 {
#define GEN_PASS_DEF_NNET3MOVESIZINGCOMMANDS
#include "nnet3/Optimize/Passes.h.inc"
} // namespace mlir::nnet3

using namespace mlir;
using namespace mlir::nnet3;

/// The first command that uses a matrix, besides the one that makes it.
static int32_t getFirstUse(const MatrixAccesses &matrix) {
  for (const Access &access : matrix.accesses)
    if (access.command != matrix.allocate)
      return access.command;
  return -1;
}

namespace {
struct MoveSizingCommands
    : public nnet3::impl::Nnet3MoveSizingCommandsBase<MoveSizingCommands> {
  void runOnOperation() override {
    auto &analysis = getAnalysis<CommandAnalysis>();
    std::vector<Operation *> before = listOperations();
    normalizeViews(getOperation());
    // Where to: in front of each command what it is the first to use, behind it
    // what it is the last to use.
    std::vector<SmallVector<int32_t, 1>> allocated(analysis.getNumCommands());
    std::vector<SmallVector<Operation *, 1>> freed(analysis.getNumCommands());
    for (int32_t m = 0; m < analysis.getNumMatrices(); ++m) {
      const MatrixAccesses &matrix = analysis.getMatrixAccesses(m);
      int32_t first = getFirstUse(matrix);
      if (first < 0)
        continue;
      if (isa<AllocMatrixZeroedOp, AllocMatrixUndefinedOp>(
              analysis.getCommand(matrix.allocate)))
        allocated[first].push_back(m);
      if (matrix.deallocate >= 0 &&
          isa<DeallocMatrixOp>(analysis.getCommand(matrix.deallocate)))
        freed[matrix.accesses.back().command].push_back(
            analysis.getCommand(matrix.deallocate));
    }
    for (int32_t c = 0; c < analysis.getNumCommands(); ++c)
      move(analysis.getCommand(c), allocated[c], freed[c], analysis);
    if (listOperations() == before)
      markAllAnalysesPreserved();
  }

private:
  std::vector<Operation *> listOperations() {
    std::vector<Operation *> list;
    for (Operation &op : getOperation().getBody().front())
      list.push_back(&op);
    return list;
  }

  void move(Operation *command, ArrayRef<int32_t> allocated,
            ArrayRef<Operation *> freed, const CommandAnalysis &analysis) {
    for (int32_t m : allocated) {
      Value matrix = analysis.getMatrix(m).matrix;
      SmallVector<Operation *> views;
      for (Operation *user : matrix.getUsers())
        if (isa<SubMatrixOp>(user))
          views.push_back(user);
      matrix.getDefiningOp()->moveBefore(command);
      for (Operation *view : llvm::reverse(views))
        view->moveBefore(command);
      ++numMoved;
    }
    for (Operation *dealloc : llvm::reverse(freed)) {
      dealloc->moveAfter(command);
      ++numMoved;
    }
  }
};
} // namespace
