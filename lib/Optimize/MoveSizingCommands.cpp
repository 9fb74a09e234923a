//===- MoveSizingCommands.cpp - Allocate late and free early --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Dialect/Nnet3/Analysis/CommandAnalysis.h"
#include "nnet3/Dialect/Nnet3/Analysis/PassCount.h"
#include "nnet3/Optimize/Passes.h"
#include "nnet3/Optimize/Views.h"

namespace mlir::nnet3 {
#define GEN_PASS_DEF_NNET3MOVESIZINGCOMMANDS
#include "nnet3/Optimize/Passes.h.inc"
} // namespace mlir::nnet3

using namespace mlir;
using namespace mlir::nnet3;

/// Returns the first command that uses a matrix, except its allocation.
static int32_t getFirstUse(const MatrixAccesses &matrix) {
  for (const Access &access : matrix.accesses)
    if (access.command != matrix.allocate)
      return access.command;
  return -1;
}

namespace {
/// Lists of matrices by command.
class MatricesByCommand {
public:
  MatricesByCommand(int32_t numCommands, int32_t numMatrices)
      : first(numCommands, -1), next(numMatrices, -1) {}

  /// Adds a matrix at the front of its command's list.
  void addFront(int32_t command, int32_t matrix) {
    next[matrix] = first[command];
    first[command] = matrix;
  }
  template <typename Fn> void forEach(int32_t command, Fn fn) const {
    for (int32_t matrix = first[command]; matrix >= 0; matrix = next[matrix])
      fn(matrix);
  }

private:
  std::vector<int32_t> first, next;
};

struct MoveSizingCommands
    : public nnet3::impl::Nnet3MoveSizingCommandsBase<MoveSizingCommands> {
  void runOnCommands() override {
    auto &analysis = getAnalysis<CommandAnalysis>();
    bool changed = normalizeViews(getOperation());
    // Allocations move before the first use of their matrix, deallocations
    // after the last one.
    int32_t numCommands = analysis.getNumCommands();
    int32_t numMatrices = analysis.getNumMatrices();
    MatricesByCommand allocated(numCommands, numMatrices);
    MatricesByCommand freed(numCommands, numMatrices);
    for (int32_t m = numMatrices; m-- > 0;) {
      const MatrixAccesses &matrix = analysis.getMatrixAccesses(m);
      int32_t first = getFirstUse(matrix);
      if (first < 0)
        continue;
      if (isa<AllocMatrixZeroedOp, AllocMatrixUndefinedOp>(
              analysis.getCommand(matrix.allocate)))
        allocated.addFront(first, m);
      if (matrix.deallocate >= 0 &&
          isa<DeallocMatrixOp>(analysis.getCommand(matrix.deallocate)))
        freed.addFront(matrix.accesses.back().command, m);
    }
    SmallVector<Operation *> before, after;
    for (int32_t c = 0; c < numCommands; ++c) {
      before.clear();
      after.clear();
      allocated.forEach(c, [&](int32_t m) {
        appendDefinition(analysis.getMatrix(m).matrix, before);
        ++numMoved;
      });
      freed.forEach(c, [&](int32_t m) {
        after.push_back(
            analysis.getCommand(analysis.getMatrixAccesses(m).deallocate));
        ++numMoved;
      });
      changed |= moveAround(analysis.getCommand(c), before, after);
    }
    if (!changed)
      markAllAnalysesPreserved();
  }

private:
  /// Appends the allocation of a matrix and its views.
  static void appendDefinition(Value matrix,
                               SmallVectorImpl<Operation *> &list) {
    list.push_back(matrix.getDefiningOp());
    size_t size = list.size();
    for (Operation *user : matrix.getUsers())
      if (isa<SubMatrixOp>(user))
        list.push_back(user);
    std::reverse(list.begin() + size, list.end());
  }

  /// Moves operations directly before and after a command. Returns whether any
  /// operation was elsewhere.
  static bool moveAround(Operation *command, ArrayRef<Operation *> before,
                         ArrayRef<Operation *> after) {
    bool moved = false;
    Operation *next = command;
    for (Operation *op : llvm::reverse(before)) {
      if (op->getNextNode() != next) {
        op->moveBefore(next);
        moved = true;
      }
      next = op;
    }
    Operation *previous = command;
    for (Operation *op : after) {
      if (op->getPrevNode() != previous) {
        op->moveAfter(previous);
        moved = true;
      }
      previous = op;
    }
    return moved;
  }

  PassCount numMoved{"commands moved"};
};
} // namespace
