//===- FuseEpilogue.cpp - Fuse elementwise components ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Arithmetic/KernelInterfaces.h"
#include "nnet3/Dialect/Nnet3/Analysis/CommandAnalysis.h"
#include "nnet3/Dialect/Nnet3/Analysis/PassCount.h"
#include "nnet3/Dialect/Nnet3/IR/FusedCommandOps.h"
#include "nnet3/Fusion/Passes.h"

namespace mlir::nnet3 {
#define GEN_PASS_DEF_NNET3FUSEEPILOGUE
#include "nnet3/Fusion/Passes.h.inc"
} // namespace mlir::nnet3

using namespace mlir;
using namespace mlir::nnet3;

namespace {

/// Consecutive affine maps and the columns that they write.
struct Blocks {
  SmallVector<FusedAffineOp> ops;
  MatrixWindow output;
  int32_t last; ///< number of the last command
};

struct FuseEpilogue : public nnet3::impl::Nnet3FuseEpilogueBase<FuseEpilogue> {
  void runOnCommands() override {
    analysis = &getAnalysis<CommandAnalysis>();
    gone.assign(analysis->getNumCommands(), false);
    for (int32_t c = 0; c < analysis->getNumCommands(); ++c)
      if (isa<FusedAffineOp>(analysis->getCommand(c))) {
        Blocks blocks = getBlocks(c);
        int32_t last = fuseComponents(blocks);
        if (blocks.ops.size() == 1)
          fuseResidual(blocks.ops.front(), c, last);
        c = blocks.last;
      }
    for (int32_t c = 0; c < analysis->getNumCommands(); ++c)
      if (gone[c])
        analysis->getCommand(c)->erase();
  }

private:
  int32_t getNextAccess(const MatrixWindow &window, int32_t command);
  int32_t getNextAccess(Value value, int32_t command) {
    return getNextAccess(MatrixWindow::get(value), command);
  }
  Blocks getBlocks(int32_t number);
  int32_t fuseComponents(const Blocks &blocks);
  void fuseResidual(FusedAffineOp op, int32_t number, int32_t last);
  ElementwiseKernelInterface getInPlace(Operation *op,
                                        const MatrixWindow &window);
  bool readsOverlap(FusedAffineOp op, Value value);
  bool isWritten(Value value, int32_t from, int32_t to);
  bool hoistCopies(FusedAffineOp op, Value sum, int32_t number, int32_t next);

  CommandAnalysis *analysis = nullptr;
  /// Commands that have been fused into others.
  std::vector<bool> gone;
  PassCount numComponents{"components in epilogues"};
  PassCount numResiduals{"residual additions in epilogues"};
};
} // namespace

/// Returns the consecutive commands of one component from command `number` on,
/// which compute adjacent blocks of columns.
Blocks FuseEpilogue::getBlocks(int32_t number) {
  auto first = cast<FusedAffineOp>(analysis->getCommand(number));
  Blocks blocks = {{first}, MatrixWindow::get(first.getOutput()), number};
  for (int32_t c = number + 1; c < analysis->getNumCommands(); ++c) {
    auto op = dyn_cast<FusedAffineOp>(analysis->getCommand(c));
    if (!op || op.getComponent() != first.getComponent())
      break;
    MatrixWindow next = MatrixWindow::get(op.getOutput());
    MatrixWindow expected = MatrixWindow::get(first.getOutput());
    expected.col = blocks.output.col + blocks.output.cols;
    if (!(next == expected))
      break;
    blocks.ops.push_back(op);
    blocks.output.cols += next.cols;
    blocks.last = c;
  }
  return blocks;
}

/// Returns the first command after `command` that accesses part of `window`;
/// the number of commands if there is none.
int32_t FuseEpilogue::getNextAccess(const MatrixWindow &window,
                                    int32_t command) {
  int32_t next = analysis->getNumCommands();
  analysis->getVariables(window).forEach([&](int32_t variable) {
    for (const Access &access : analysis->getVariableAccesses(variable))
      if (access.command > command && !gone[access.command]) {
        next = std::min(next, access.command);
        break;
      }
  });
  return next;
}

/// Returns the elementwise component if `op` applies it in place to all of
/// `window`; else null.
ElementwiseKernelInterface
FuseEpilogue::getInPlace(Operation *op, const MatrixWindow &window) {
  auto propagate = dyn_cast<PropagateOp>(op);
  if (!propagate || propagate.getMemo() ||
      propagate.getInput() != propagate.getOutput() ||
      !(MatrixWindow::get(propagate.getOutput()) == window))
    return {};
  auto elementwise = dyn_cast<ElementwiseKernelInterface>(
      analysis->getComponents().find(propagate.getComponent()).getOperation());
  if (!elementwise || !elementwise.isElementwise())
    return {};
  return elementwise;
}

/// Whether the constants of `component` repeat every `columns` columns.
static bool isPeriodic(ElementwiseKernelInterface component, int64_t columns) {
  if (component.getNumColumnConstants() == 0)
    return true;
  auto vectors = component.getColumnConstants();
  return succeeded(vectors) &&
         llvm::all_of(*vectors, [&](ArrayRef<float> vector) {
           return vector.drop_front(columns) == vector.drop_back(columns);
         });
}

/// Fuses the components after `blocks` that run in place on their output.
/// Returns the number of the last fused command, or of the last block.
int32_t FuseEpilogue::fuseComponents(const Blocks &blocks) {
  FusedAffineOp first = blocks.ops.front();
  const int64_t columns = MatrixWindow::get(first.getOutput()).cols;
  auto steps = llvm::to_vector(first.getEpilogueSteps());
  int32_t last = blocks.last;
  if (first.getResidual())
    return last;
  while (true) {
    int32_t next = getNextAccess(blocks.output, last);
    if (next == analysis->getNumCommands())
      break;
    Operation *command = analysis->getCommand(next);
    ElementwiseKernelInterface component = getInPlace(command, blocks.output);
    if (!component ||
        (blocks.ops.size() > 1 && !isPeriodic(component, columns)))
      break;
    if (!component.isIdentity())
      steps.push_back(cast<PropagateOp>(command).getComponent());
    gone[next] = true;
    last = next;
    ++numComponents;
  }
  if (!steps.empty())
    for (FusedAffineOp op : blocks.ops)
      op.setEpilogueAttr(ArrayAttr::get(op.getContext(), steps));
  return last;
}

/// Whether a matmul input of `op` overlaps `value`.
bool FuseEpilogue::readsOverlap(FusedAffineOp op, Value value) {
  return llvm::any_of(op.getInputs(), [&](Value input) {
    return MatrixWindow::get(input).overlaps(MatrixWindow::get(value));
  });
}

/// Whether a command in [`from`, `to`) writes part of `value`.
bool FuseEpilogue::isWritten(Value value, int32_t from, int32_t to) {
  bool found = false;
  analysis->getVariables(value).forEach([&](int32_t variable) {
    for (const Access &access : analysis->getVariableAccesses(variable))
      found |= access.writes() && access.command >= from &&
               access.command < to && !gone[access.command];
  });
  return found;
}

/// Moves the definition of `value` before `op`, and that of the matrix it is a
/// view of.
static void defineBefore(Value value, Operation *op) {
  Operation *definition = value.getDefiningOp();
  if (definition->isBeforeInBlock(op))
    return;
  for (Value operand : definition->getOperands())
    defineBefore(operand, op);
  definition->moveBefore(op);
}

/// Moves the copies that fill `sum` between command `number`, which is `op`,
/// and command `next` in front of `op`. A stream fills a matrix in this way
/// from the rows of its state and the rows of its chunk. Returns false if
/// another command accesses the matrix in between, or if a copy reads a matrix
/// that `op` or a later command writes.
bool FuseEpilogue::hoistCopies(FusedAffineOp op, Value sum, int32_t number,
                               int32_t next) {
  const MatrixWindow window = MatrixWindow::get(sum);
  Operation *matrix = window.matrix.getDefiningOp();
  if (matrix->getBlock() != op->getBlock() ||
      !isa<AllocMatrixUndefinedOp, AllocMatrixZeroedOp>(matrix))
    return false;
  SmallVector<Operation *> copies;
  for (int32_t c = getNextAccess(window.matrix, number); c < next;
       c = getNextAccess(window.matrix, c)) {
    Operation *command = analysis->getCommand(c);
    if (command == matrix)
      continue;
    if (!isa<MatrixCopyOp, CopyRowsOp>(command))
      return false;
    Value source = command->getOperand(0), dest = command->getOperand(1);
    const MatrixWindow from = MatrixWindow::get(source);
    Operation *sourceMatrix = from.matrix.getDefiningOp();
    if (MatrixWindow::get(dest).matrix != window.matrix ||
        from.matrix == window.matrix || !sourceMatrix ||
        sourceMatrix->getBlock() != op->getBlock() ||
        !sourceMatrix->isBeforeInBlock(op) || isWritten(source, number, c))
      return false;
    copies.push_back(command);
  }
  defineBefore(sum, op);
  for (Operation *copy : copies) {
    for (Value operand : copy->getOperands())
      defineBefore(operand, op);
    copy->moveBefore(op);
  }
  return true;
}

/// If the output y of `op` is only added to a matrix r, r += y, possibly after
/// r was scaled in place or assembled by copies, lets `op` compute the sum.
void FuseEpilogue::fuseResidual(FusedAffineOp op, int32_t number,
                                int32_t last) {
  Value output = op.getOutput();
  int32_t next = getNextAccess(output, last);
  if (op.getResidual() || next == analysis->getNumCommands() ||
      analysis->getLastAccess(analysis->getVariables(output)) != next)
    return;
  auto add = dyn_cast<MatrixAddOp>(analysis->getCommand(next));
  if (!add || !add.getAlpha().isExactlyValue(1.0) ||
      !(MatrixWindow::get(add.getSource()) == MatrixWindow::get(output)))
    return;
  Value sum = add.getDest();
  if (readsOverlap(op, sum) ||
      (op.getInit() &&
       MatrixWindow::get(op.getInit()).overlaps(MatrixWindow::get(sum))))
    return;
  // Only the scaling may access the sum in between.
  float scale = 1;
  int32_t between = getNextAccess(sum, number);
  int32_t scaling = -1;
  if (between != next) {
    auto copy = dyn_cast<MatrixCopyOp>(analysis->getCommand(between));
    if (copy && copy.getSource() == copy.getDest() && copy.getDest() == sum &&
        getNextAccess(sum, between) == next) {
      scale = copy.getAlpha().convertToFloat();
      scaling = between;
    } else if (!hoistCopies(op, sum, number, next)) {
      return;
    }
  }
  op.getResidualMutable().assign(sum);
  op.setResidualScale(APFloat(scale));
  op.getOutputMutable().assign(sum);
  gone[next] = true;
  if (scaling >= 0)
    gone[scaling] = true;
  ++numResiduals;
}
