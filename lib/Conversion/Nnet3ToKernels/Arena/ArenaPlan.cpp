//===- ArenaPlan.cpp - Layout of a computation's matrices -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ArenaPlan.h"

#include "nnet3/Dialect/Nnet3/Analysis/MatrixWindow.h"
#include "nnet3/Dialect/Nnet3/IR/MatrixLayout.h"
#include "nnet3/runtime/Placement.h"

using namespace mlir;
using namespace mlir::nnet3;
using ::nnet3::rt::Lifetime;

/// Size in floats of a matrix and its padding, rounded up to a cache line.
static int64_t getStorageSize(Value matrix, const Padding &padding) {
  int64_t size = padding.matrices.lookup(matrix);
  if (auto compressed = dyn_cast<CompressedType>(matrix.getType()))
    size += llvm::divideCeil(
        compressed.getRows() * compressed.getCols() *
            compressed.getElementType().getIntOrFloatBitWidth(),
        32);
  else
    size += cast<MemRefType>(matrix.getType()).getNumElements();
  return ::nnet3::rt::alignPlacement(size);
}

/// Returns the compressed signs from which a matrix is restored: its reader may
/// read them instead. Null for other matrices.
static Value getSigns(Value matrix) {
  auto restore = matrix.getDefiningOp<DecompressMatrixOp>();
  auto source = restore
                    ? restore.getCompressed().getDefiningOp<CompressMatrixOp>()
                    : CompressMatrixOp();
  return source && source.getRange().isZero() ? source.getResult() : Value();
}

ArenaPlan::ArenaPlan(ComputationOp computation, int64_t reserved,
                     const Padding &padding) {
  // One per storage: a matrix, or several that share it through moves.
  std::vector<Lifetime> lifetimes;
  DenseMap<Value, size_t> storages;
  int64_t number = 0, numCommands = 0;
  computation.getBody().walk([&](Operation *) { ++numCommands; });
  computation.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    ++number;
    if (auto move = dyn_cast<MoveMatrixOp>(op)) {
      const size_t storage = storages.lookup(move.getSource());
      storages[move.getResult()] = storage;
      int64_t &size = lifetimes[storage].size;
      size = std::max(size, getStorageSize(move.getResult(), padding));
    } else if (isa<DeallocMatrixOp, CompressMatrixOp, DecompressMatrixOp>(op)) {
      Value matrix = op->getOperand(0);
      lifetimes[storages.lookup(matrix)].end = number;
      if (Value signs = getSigns(matrix))
        lifetimes[storages.lookup(signs)].end = number;
    }
    if (isa<AllocMatrixZeroedOp, AllocMatrixUndefinedOp, AcceptInputOp,
            CompressMatrixOp, DecompressMatrixOp>(op)) {
      Value matrix = op->getResult(0);
      storages[matrix] = lifetimes.size();
      lifetimes.push_back({isa<AcceptInputOp>(op) ? 0 : number, numCommands,
                           getStorageSize(matrix, padding)});
    }
  });
  for (auto output : computation.getBody().getOps<ProvideOutputOp>())
    lifetimes[storages.lookup(output.getMatrix())].end = numCommands;
  size = placeLifetimes(lifetimes, reserved) + padding.end;
  for (auto [matrix, storage] : storages)
    offsets[matrix] = lifetimes[storage].offset;
}

int64_t ArenaPlan::getOffset(Value value) const {
  if (isa<CompressedType>(value.getType()))
    return offsets.lookup(value);
  MatrixWindow window = MatrixWindow::get(value, round);
  return offsets.lookup(window.matrix) +
         window.row * getRowStride(window.matrix) + window.col;
}

int64_t mlir::nnet3::getRowStride(Value matrix) {
  return MatrixLayout::get(cast<MemRefType>(matrix.getType()))->stride;
}
