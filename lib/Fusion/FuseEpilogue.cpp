//===- FuseEpilogue.cpp - Elementwise components behind affine maps -------===//

#include "nnet3/Dialect/Nnet3/Analysis/CommandAnalysis.h"
#include "nnet3/Dialect/Nnet3/Analysis/PassCount.h"
#include "nnet3/Dialect/Nnet3/IR/FusedCommandOps.h"
#include "nnet3/Fusion/KernelInterfaces.h"
#include "nnet3/Fusion/Passes.h"

namespace mlir::nnet3 {
#define GEN_PASS_DEF_NNET3FUSEEPILOGUE
#include "nnet3/Fusion/Passes.h.inc"
} // namespace mlir::nnet3

using namespace mlir;
using namespace mlir::nnet3;

namespace {
struct FuseEpilogue : public nnet3::impl::Nnet3FuseEpilogueBase<FuseEpilogue> {
  void runOnOperation() override {
    analysis = &getAnalysis<CommandAnalysis>();
    gone.assign(analysis->getNumCommands(), false);
    for (int32_t c = 0; c < analysis->getNumCommands(); ++c)
      if (auto op = dyn_cast<FusedAffineOp>(analysis->getCommand(c))) {
        int32_t last = fuseComponents(op, c);
        fuseResidual(op, c, last);
      }
    for (int32_t c = 0; c < analysis->getNumCommands(); ++c)
      if (gone[c])
        analysis->getCommand(c)->erase();
  }

private:
  int32_t getNextAccess(Value value, int32_t command);
  int32_t fuseComponents(FusedAffineOp op, int32_t number);
  void fuseResidual(FusedAffineOp op, int32_t number, int32_t last);
  ElementwiseKernelInterface getInPlace(Operation *op, Value value);
  bool readsOverlap(FusedAffineOp op, Value value);

  CommandAnalysis *analysis = nullptr;
  /// Commands that have been fused into others.
  std::vector<bool> gone;
  PassCount numComponents{"components in epilogues"};
  PassCount numResiduals{"sums in epilogues"};
};
} // namespace

/// The first command behind `command` that accesses part of `value`; the
/// number of commands if there is none.
int32_t FuseEpilogue::getNextAccess(Value value, int32_t command) {
  int32_t next = analysis->getNumCommands();
  analysis->getVariables(value).forEach([&](int32_t variable) {
    for (const Access &access : analysis->getVariableAccesses(variable))
      if (access.command > command && !gone[access.command]) {
        next = std::min(next, access.command);
        break;
      }
  });
  return next;
}

/// The elementwise component that `op` runs on all of `value` in place, if that
/// is what it does.
ElementwiseKernelInterface FuseEpilogue::getInPlace(Operation *op,
                                                    Value value) {
  auto propagate = dyn_cast<PropagateOp>(op);
  if (!propagate || propagate.getMemo() ||
      propagate.getInput() != propagate.getOutput() ||
      !(MatrixWindow::get(propagate.getOutput()) == MatrixWindow::get(value)))
    return {};
  auto elementwise = dyn_cast<ElementwiseKernelInterface>(
      analysis->getComponents().find(propagate.getComponent()).getOperation());
  if (!elementwise || !elementwise.isElementwise())
    return {};
  return elementwise;
}

/// Takes in the components behind `op` that work on its output in place.
/// Returns the number of the last one, or that of `op`.
int32_t FuseEpilogue::fuseComponents(FusedAffineOp op, int32_t number) {
  auto steps = llvm::to_vector(op.getEpilogueSteps());
  int32_t last = number;
  while (true) {
    int32_t next = getNextAccess(op.getOutput(), last);
    if (next == analysis->getNumCommands())
      break;
    Operation *command = analysis->getCommand(next);
    ElementwiseKernelInterface component = getInPlace(command, op.getOutput());
    if (!component)
      break;
    if (!component.isIdentity())
      steps.push_back(cast<PropagateOp>(command).getComponent());
    gone[next] = true;
    last = next;
    ++numComponents;
  }
  if (!steps.empty())
    op.setEpilogueAttr(ArrayAttr::get(op.getContext(), steps));
  return last;
}

/// Whether `op` reads part of `value` in order to multiply it.
bool FuseEpilogue::readsOverlap(FusedAffineOp op, Value value) {
  return llvm::any_of(op.getInputs(), [&](Value input) {
    return MatrixWindow::get(input).overlaps(MatrixWindow::get(value));
  });
}

/// Where the output y of `op` is only added to a matrix r, r += y, perhaps
/// after r was scaled in place, `op` computes the sum.
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
  // In between, nothing but the scaling may touch the sum.
  float scale = 1;
  int32_t between = getNextAccess(sum, number);
  int32_t scaling = -1;
  if (between != next) {
    auto copy = dyn_cast<MatrixCopyOp>(analysis->getCommand(between));
    if (!copy || copy.getSource() != copy.getDest() || copy.getDest() != sum ||
        getNextAccess(sum, between) != next)
      return;
    scale = copy.getAlpha().convertToFloat();
    scaling = between;
  }
  op.getResidualMutable().assign(sum);
  op.setResidualScale(APFloat(scale));
  op.getOutputMutable().assign(sum);
  gone[next] = true;
  if (scaling >= 0)
    gone[scaling] = true;
  ++numResiduals;
}
