//===- ComputationSize.cpp - The size of a computation --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Dialect/Nnet3/Analysis/ComputationSize.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::nnet3;

static int64_t getBytes(Type type) {
  if (auto compressed = dyn_cast<CompressedType>(type))
    return compressed.getRows() * compressed.getCols() *
           compressed.getElementType().getIntOrFloatBitWidth() / 8;
  return cast<MemRefType>(type).getNumElements() * sizeof(float);
}

ComputationSize ComputationSize::get(ComputationOp computation) {
  ComputationSize result;
  int64_t size = 0;
  auto begin = [&](Value matrix) {
    ++result.matrices;
    result.bytes += getBytes(matrix.getType());
    size += getBytes(matrix.getType());
  };
  computation.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!isa<SubMatrixOp, MovingSubMatrixOp, StoreStatsOp>(op))
      result.commands += isa<AllocMatrixZeroedOp>(op) ? 2 : 1;
    TypeSwitch<Operation *>(op)
        .Case<AllocMatrixZeroedOp, AllocMatrixUndefinedOp, AcceptInputOp>(
            [&](auto op) { begin(op.getResult()); })
        .Case([&](DeallocMatrixOp op) {
          size -= getBytes(op.getMatrix().getType());
        })
        .Case<CompressMatrixOp, DecompressMatrixOp>([&](auto op) {
          size += getBytes(op->getResult(0).getType()) -
                  getBytes(op->getOperand(0).getType());
        });
    result.peak = std::max(result.peak, size);
  });
  return result;
}
