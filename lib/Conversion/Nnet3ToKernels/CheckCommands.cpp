//===- CheckCommands.cpp - Checks before code generation ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CheckCommands.h"
#include "Arena/StageMemory.h"

#include "nnet3/Arithmetic/KernelInterfaces.h"
#include "nnet3/Arithmetic/StatisticsInterface.h"
#include "nnet3/Dialect/Nnet3/Analysis/ComponentTable.h"
#include "nnet3/Dialect/Nnet3/IR/FusedCommandOps.h"
#include "nnet3/Dialect/Nnet3/IR/MatrixLayout.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::nnet3;

/// Checks that the weights have the columns that multiply each input.
static LogicalResult checkColumns(FusedAffineOp op,
                                  AffineKernelInterface affine) {
  const int64_t columns = affine.getWeightColumns();
  for (auto [input, first] : llvm::zip_equal(op.getInputs(), op.getColumns()))
    if (numCols(input) > columns || first > columns - numCols(input))
      return op.emitOpError("expects columns of weights with ")
             << columns << " columns, but got " << numCols(input) << " from "
             << first << " on";
  return success();
}

static LogicalResult checkAffine(FusedAffineOp op, ComponentTable &components) {
  auto find = [&](Attribute name) {
    return components.find(cast<SymbolRefAttr>(name)).getOperation();
  };
  if (failed(checkColumns(
          op, cast<AffineKernelInterface>(find(op.getComponent())))))
    return failure();
  for (Attribute name : op.getEpilogueSteps()) {
    auto step = dyn_cast<ElementwiseKernelInterface>(find(name));
    if (!step || !step.isElementwise())
      return op.emitOpError("expects elementwise components in its epilogue, "
                            "but got ")
             << name;
  }
  SymbolRefAttr name = op.getFoldedAttr();
  if (!name)
    return success();
  auto folded = dyn_cast<ElementwiseKernelInterface>(find(name));
  if (!folded || !folded.isElementwise() || !folded.isScaleAndOffset())
    return op.emitOpError("expects a folded component that scales and adds, "
                          "but got ")
           << name;
  return success();
}

template <typename OpTy>
static LogicalResult checkDraw(OpTy op, bool draws, StringRef what) {
  if (!draws || op.getDraw())
    return success();
  return op.emitOpError("of a ")
         << what << " expects a draw number; see nnet3-number-draws";
}

/// Checks the draw number of `op` if its component keeps statistics.
template <typename OpTy>
static LogicalResult checkStatistics(OpTy op, ComponentTable &components) {
  return checkDraw(op,
                   isa<StatisticsKernelInterface>(
                       components.find(op.getComponent()).getOperation()),
                   "component with statistics");
}

LogicalResult mlir::nnet3::checkCommands(ComputationOp computation,
                                         bool device) {
  ComponentTable components(computation);
  auto check = [&](Operation *command) {
    return TypeSwitch<Operation *, LogicalResult>(command)
        .Case([&](FusedAffineOp op) { return checkAffine(op, components); })
        .Case([&](PropagateOp op) {
          StagedKernelInterface staged =
              device ? getStaged(op, components) : StagedKernelInterface();
          return checkDraw(op, staged && staged.drawsNumbers(),
                           "random component");
        })
        .Case<StoreStatsOp, BackpropOp>([&](auto op) {
          return device ? checkStatistics(op, components) : success();
        })
        .Default([](Operation *) { return success(); });
  };
  return failure(computation.getBody()
                     .walk<WalkOrder::PreOrder>([&](Operation *command) {
                       return WalkResult(check(command));
                     })
                     .wasInterrupted());
}
