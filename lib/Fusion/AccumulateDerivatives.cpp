//===- AccumulateDerivatives.cpp - Add derivatives in backprop ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Dialect/Nnet3/Analysis/CommandAnalysis.h"
#include "nnet3/Dialect/Nnet3/Analysis/PassCount.h"
#include "nnet3/Fusion/Passes.h"

namespace mlir::nnet3 {
#define GEN_PASS_DEF_NNET3ACCUMULATEDERIVATIVES
#include "nnet3/Fusion/Passes.h.inc"
} // namespace mlir::nnet3

using namespace mlir;
using namespace mlir::nnet3;

namespace {

struct AccumulateDerivatives
    : public nnet3::impl::Nnet3AccumulateDerivativesBase<
          AccumulateDerivatives> {
  void runOnCommands() override;

private:
  MatrixAddOp getAddition(BackpropOp op, int32_t number);
  bool canAddEarlier(MatrixAddOp addition, int32_t number);
  void fuse(BackpropOp op, MatrixAddOp addition);

  CommandAnalysis *analysis = nullptr;
  SmallVector<Operation *> unused; ///< erased at the end
  PassCount numFused{"additions removed"};
};

} // namespace

/// Returns the command that adds all of the matrix with the derivative to
/// another one, if no other command but `op` uses it.
static MatrixAddOp getOnlyReader(BackpropOp op) {
  Value derivative = op.getInputDeriv();
  MatrixAddOp reader;
  for (Operation *user : derivative.getUsers()) {
    if (user == op || isa<DeallocMatrixOp>(user))
      continue;
    auto addition = dyn_cast<MatrixAddOp>(user);
    if (reader || !addition || addition.getDest() == derivative)
      return {};
    reader = addition;
  }
  return reader;
}

/// Returns the addition that command `number` can do itself; null if there is
/// none.
MatrixAddOp AccumulateDerivatives::getAddition(BackpropOp op, int32_t number) {
  Value derivative = op.getInputDeriv();
  if (!derivative || !derivative.getDefiningOp<AllocMatrixZeroedOp>() ||
      llvm::count(op->getOperands(), derivative) > 1 ||
      !has(analysis->getComponents().getProperties(op.getComponent()),
           ComponentProperties::BackpropAdds))
    return {};
  MatrixAddOp addition = getOnlyReader(op);
  return addition && addition.getAlpha().isExactlyValue(1.0) &&
                 canAddEarlier(addition, number)
             ? addition
             : MatrixAddOp();
}

/// Whether the destination exists at command `number`, and no command from
/// there to the addition accesses it.
bool AccumulateDerivatives::canAddEarlier(MatrixAddOp addition,
                                          int32_t number) {
  const MatrixWindow window = MatrixWindow::get(addition.getDest());
  const int32_t end = analysis->getNumber(addition);
  const MatrixAccesses &matrix =
      analysis->getMatrixAccesses(analysis->getMatrixNumber(window.matrix));
  if (matrix.allocate > number || matrix.isInput)
    return false;
  bool isUnused = number < end;
  analysis->forEachVariable(window, [&](int32_t variable) {
    for (const Access &access : analysis->getVariableAccesses(variable))
      isUnused &= access.command < number || access.command >= end;
  });
  return isUnused;
}

void AccumulateDerivatives::fuse(BackpropOp op, MatrixAddOp addition) {
  Value derivative = op.getInputDeriv();
  OpBuilder builder(op);
  op.getInputDerivMutable().assign(
      createView(builder, op.getLoc(), MatrixWindow::get(addition.getDest())));
  // The addition and the command that frees the matrix.
  llvm::append_range(unused, derivative.getUsers());
  unused.push_back(derivative.getDefiningOp());
  ++numFused;
}

void AccumulateDerivatives::runOnCommands() {
  analysis = &getAnalysis<CommandAnalysis>();
  for (int32_t c = 0; c < analysis->getNumCommands(); ++c)
    if (auto op = dyn_cast<BackpropOp>(analysis->getCommand(c)))
      if (MatrixAddOp addition = getAddition(op, c))
        fuse(op, addition);
  for (Operation *command : unused)
    command->erase();
  unused.clear();
}
