//===- ArenaPlan.cpp - Where a computation's matrices lie -----------------===//

#include "ArenaPlan.h"

#include "nnet3/Dialect/Nnet3/Analysis/MatrixWindow.h"
#include "nnet3/Dialect/Nnet3/IR/MatrixLayout.h"

using namespace mlir;
using namespace mlir::nnet3;

namespace {
/// A storage: one matrix, or several that it is moved between.
struct Lifetime {
  int64_t begin, end; ///< numbers of commands, both included
  int64_t size;
  int64_t offset = 0;
};
} // namespace

/// Floats in a matrix, rounded up to a cache line.
static int64_t getStorageSize(Value matrix) {
  return llvm::alignTo(cast<MemRefType>(matrix.getType()).getNumElements(), 16);
}

/// Largest first, each at the lowest place that is free all its life.
static int64_t place(std::vector<Lifetime> &lifetimes, int64_t reserved) {
  std::vector<Lifetime *> order;
  for (Lifetime &lifetime : lifetimes)
    order.push_back(&lifetime);
  llvm::stable_sort(order, [](const Lifetime *a, const Lifetime *b) {
    return a->size > b->size;
  });
  int64_t end = reserved;
  std::vector<Lifetime *> placed; // by offset
  for (Lifetime *lifetime : order) {
    int64_t offset = reserved;
    for (const Lifetime *other : placed) {
      if (other->begin > lifetime->end || lifetime->begin > other->end)
        continue;
      if (offset + lifetime->size <= other->offset)
        break;
      offset = std::max(offset, other->offset + other->size);
    }
    lifetime->offset = offset;
    end = std::max(end, offset + lifetime->size);
    placed.insert(llvm::upper_bound(placed, lifetime,
                                    [](const Lifetime *a, const Lifetime *b) {
                                      return a->offset < b->offset;
                                    }),
                  lifetime);
  }
  return end;
}

ArenaPlan::ArenaPlan(ComputationOp computation, int64_t reserved) {
  std::vector<Lifetime> lifetimes;
  DenseMap<Value, size_t> storages;
  Block &body = computation.getBody().front();
  const int64_t numCommands = body.getOperations().size();
  int64_t number = 0;
  for (Operation &op : body) {
    ++number;
    if (auto move = dyn_cast<MoveMatrixOp>(op)) {
      storages[move.getResult()] = storages.lookup(move.getSource());
    } else if (auto free = dyn_cast<DeallocMatrixOp>(op)) {
      lifetimes[storages.lookup(free.getMatrix())].end = number;
    } else if (isa<AllocMatrixZeroedOp, AllocMatrixUndefinedOp, AcceptInputOp>(
                   op)) {
      Value matrix = op.getResult(0);
      storages[matrix] = lifetimes.size();
      lifetimes.push_back({isa<AcceptInputOp>(op) ? 0 : number, numCommands,
                           getStorageSize(matrix)});
    }
  }
  for (auto output : computation.getBody().getOps<ProvideOutputOp>())
    lifetimes[storages.lookup(output.getMatrix())].end = numCommands;
  size = place(lifetimes, reserved);
  for (auto [matrix, storage] : storages)
    offsets[matrix] = lifetimes[storage].offset;
}

int64_t ArenaPlan::getOffset(Value value) const {
  MatrixWindow window = MatrixWindow::get(value);
  return offsets.lookup(window.matrix) +
         window.row * getRowStride(window.matrix) + window.col;
}

int64_t mlir::nnet3::getRowStride(Value matrix) {
  return MatrixLayout::get(cast<MemRefType>(matrix.getType()))->stride;
}
