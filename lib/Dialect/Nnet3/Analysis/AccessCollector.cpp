//===- AccessCollector.cpp - One walk over the commands -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "AccessCollector.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::nnet3;

void AccessCollector::collect(Block &block) {
  const size_t numOps = block.getOperations().size();
  commands.reserve(numOps);
  parts.reserve(numOps);
  partNumbers.reserve(numOps);
  for (Operation &op : block)
    // Ordered by frequency.
    TypeSwitch<Operation *>(&op)
        .Case([&](SubMatrixOp view) { addView(view); })
        .Case([&](DeallocMatrixOp dealloc) {
          getMatrix(dealloc.getMatrix()).deallocate = addCommand(dealloc);
        })
        .Case([&](AllocMatrixZeroedOp alloc) {
          addMatrix(alloc.getResult(), addCommand(alloc));
          addAccesses(alloc, /*zeroes=*/true);
        })
        .Case([&](AllocMatrixUndefinedOp alloc) {
          addMatrix(alloc.getResult(), addCommand(alloc));
        })
        .Case<MatrixAddOp, MatrixCopyOp, PropagateOp, BackpropOp>([&](auto op) {
          addCommand(op);
          addAccesses(op);
        })
        .Default([&](Operation *op) { addOther(op); });
}

void AccessCollector::addView(SubMatrixOp view) {
  MatrixPart part = parts[partNumbers.lookup(view.getSource())];
  ArrayRef<int64_t> shape = view.getType().getShape();
  part.row += view.getRowOffset();
  part.rows = shape[0];
  part.col += view.getColOffset();
  part.cols = shape[1];
  partNumbers[view.getResult()] = parts.size();
  parts.push_back(part);
}

void AccessCollector::addMatrix(Value matrix, int32_t command) {
  ArrayRef<int64_t> shape = cast<MemRefType>(matrix.getType()).getShape();
  partNumbers[matrix] = parts.size();
  parts.push_back({int32_t(matrices.size()), 0, shape[0], 0, shape[1]});
  matrices.push_back(matrix);
  matrixAccesses.emplace_back().allocate = command;
}

int32_t AccessCollector::addCommand(Operation *op) {
  commands.push_back(op);
  return commands.size() - 1;
}

void AccessCollector::addAccesses(Operation *op, bool zeroes) {
  int32_t command = commands.size() - 1;
  for (const OperandAccess &access : getOperandAccesses(op, components))
    accesses.push_back(
        {partNumbers.lookup(access.value), {command, access.kind, zeroes}});
}

void AccessCollector::addOther(Operation *op) {
  int32_t command = addCommand(op);
  for (Value result : op->getResults())
    if (isa<MemRefType>(result.getType()))
      addMatrix(result, command);
  auto set = dyn_cast<SetConstOp>(op);
  addAccesses(op, /*zeroes=*/set && set.getValue().isZero());
  TypeSwitch<Operation *>(op)
      .Case([&](MoveMatrixOp move) {
        getMatrix(move.getSource()).deallocate = command;
      })
      .Case([&](CompressMatrixOp compress) {
        getMatrix(compress.getMatrix()).deallocate = command;
      })
      .Case([&](AcceptInputOp accept) {
        getMatrix(accept.getResult()).isInput = true;
      })
      .Case([&](ProvideOutputOp provide) {
        getMatrix(provide.getMatrix()).isOutput = true;
      });
}
