//===- AccessCollector.cpp - One walk over the commands -------------------===//

#include "AccessCollector.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::nnet3;

void AccessCollector::collect(Block &block) {
  for (Operation &op : block) {
    if (auto view = dyn_cast<SubMatrixOp>(op))
      addView(view);
    else
      addCommand(&op);
  }
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

void AccessCollector::addCommand(Operation *op) {
  int32_t command = commands.size();
  commands.push_back(op);
  for (Value result : op->getResults())
    if (isa<MemRefType>(result.getType()))
      addMatrix(result, command);
  addAccesses(op, command);
  TypeSwitch<Operation *>(op)
      .Case([&](DeallocMatrixOp dealloc) {
        getMatrix(dealloc.getMatrix()).deallocate = command;
      })
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

/// Whether a command does nothing but set zeros.
static bool isZeroing(Operation *op) {
  if (auto set = dyn_cast<SetConstOp>(op))
    return set.getValue().isZero();
  return isa<AllocMatrixZeroedOp>(op);
}

void AccessCollector::addAccesses(Operation *op, int32_t command) {
  bool zeroes = isZeroing(op);
  for (const OperandAccess &access : getOperandAccesses(op, components))
    accesses.push_back(
        {partNumbers.lookup(access.value), {command, access.kind, zeroes}});
}
