//===- BackwardConverter.cpp - Backward passes on a device ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BackwardConverter.h"
#include "CommandConverter.h"
#include "ComponentConverter.h"
#include "StatisticsConverter.h"
#include "TimeRows.h"
#include "UpdateConverter.h"

#include "nnet3/Dialect/Nnet3/Analysis/MatrixWindow.h"
#include "nnet3/Dialect/Nnet3/IR/MatrixLayout.h"

using namespace mlir;
using namespace mlir::nnet3;

SmallVector<TimeRows> mlir::nnet3::getTimeRows(BackpropOp op) {
  auto precomputed = op.getPrecomputedAttr();
  if (!precomputed)
    return {{0, 1}};
  auto offsets = precomputed.getAs<DenseI64ArrayAttr>("row_offsets");
  const int64_t step = precomputed.getAs<IntegerAttr>("row_stride").getInt();
  return llvm::map_to_vector(offsets.asArrayRef(), [&](int64_t first) {
    return TimeRows{first, step};
  });
}

BackwardConverter::BackwardConverter(CommandContext &context,
                                     StageConverter &stages,
                                     BackwardBuilder &builder,
                                     UpdateConverter *updates)
    : context(context), stages(stages), builder(builder), updates(updates),
      firstWrites(context.computation,
                  [this](BackpropOp op) { return mayWrite(op); }) {
  if (context.module.isShared)
    findLastUpdates();
}

/// Returns the component of the network; `op` may be for a part of it.
static StringAttr getWholeComponent(BackpropOp op) {
  return op.getComponent().getNestedReferences()[0].getAttr();
}

bool BackwardConverter::isUpdate(BackpropOp op) const {
  return op.getUpdate() &&
         has(context.components.getProperties(op.getComponent()),
             ComponentProperties::Updatable);
}

void BackwardConverter::findLastUpdates() {
  for (auto op : context.computation.getBody().getOps<BackpropOp>())
    if (isUpdate(op))
      lastUpdates[getWholeComponent(op)] = op;
}

void BackwardConverter::sumGradients(BackpropOp op) {
  const StringAttr component = getWholeComponent(op);
  if (lastUpdates.lookup(component) == op)
    builder.sumGradients(component);
}

/// Components with several grid-wide phases may leave parts unwritten.
bool BackwardConverter::mayWrite(BackpropOp op) {
  if (getStaged(op, context.components))
    return false;
  Operation *component = context.components.find(op.getComponent());
  auto affine = dyn_cast<AffineKernelInterface>(component);
  auto row = dyn_cast<BackwardKernelInterface>(component);
  return (affine && affine.isAffine()) || (row && row.hasBackwardKernel()) ||
         copiesBlocks(component);
}

LogicalResult BackwardConverter::convert(BackpropOp op) {
  bool addsGradient = isUpdate(op);
  if (addsGradient && updates && updates->addGradient(op))
    addsGradient = false;
  ComponentOpInterface component = context.components.find(op.getComponent());
  Operation *model = component.getOperation();
  if (auto staged = getStaged(op, context.components))
    return convertStaged(op, staged);
  auto affine = dyn_cast<AffineKernelInterface>(model);
  if (affine && affine.isAffine())
    return convertAffine(op, affine, addsGradient), success();
  auto row = dyn_cast<BackwardKernelInterface>(model);
  if (row && row.hasBackwardKernel())
    return convertRow(op, row, addsGradient), success();
  if (copiesBlocks(model))
    return convertDistribute(op), success();
  return op.emitOpError("has no backward pass for devices: component '")
         << op.getComponent().getLeafReference().getValue() << "'";
}

void BackwardConverter::fillZeros(AllocMatrixZeroedOp op) {
  const Value matrix = op.getResult();
  const int64_t stride = getRowStride(matrix);
  for (auto [first, count] : firstWrites.getZeros(op))
    context.kernels.createFill(
        {context.arena.getOffset(matrix) + first * stride, count,
         numCols(matrix), stride},
        0);
}

LogicalResult
BackwardConverter::convertStaged(BackpropOp op,
                                 StagedKernelInterface component) {
  const StagedCommand command = getStagedCommand(op, context.module.isShared);
  if (!op.getMemo() && component.getMemoSize(command) > 0)
    return op.emitOpError("expects the memo of component '")
           << op.getComponent().getLeafReference().getValue() << "'";
  RowOperands operands = builder.createMatrices(op);
  operands.adds = op.getInputDeriv() && addsToInputDerivative(op);
  stages.addStages(component, command,
                   op.getMemo() ? stages.getMemo(op.getMemo()) : 0, operands);
  return success();
}

bool BackwardConverter::addsToInputDerivative(BackpropOp op) {
  return has(context.components.getProperties(op.getComponent()),
             ComponentProperties::BackpropAdds) &&
         !firstWrites.writes(op) && !isInPlace(op);
}

bool BackwardConverter::isInPlace(BackpropOp op) {
  return MatrixWindow::get(op.getInputDeriv()) ==
         MatrixWindow::get(op.getOutputDeriv());
}

void mlir::nnet3::populateBackwardCommands(CommandConverter &converter,
                                           StageConverter &stages,
                                           bool updates) {
  CommandContext &context = converter.getContext();
  auto &builder = converter.create<BackwardBuilder>(context, stages);
  auto &statistics =
      converter.create<StatisticsConverter>(context, stages, builder);
  UpdateConverter *update =
      updates ? &converter.create<UpdateConverter>(context, builder) : nullptr;
  auto &backward =
      converter.create<BackwardConverter>(context, stages, builder, update);
  converter.add([&](AllocMatrixZeroedOp op) { backward.fillZeros(op); });
  converter.add([&](StoreStatsOp op) { statistics.add(op); });
  converter.add([&](BackpropOp op) -> LogicalResult {
    statistics.addBefore(op);
    if (failed(backward.convert(op)))
      return failure();
    backward.sumGradients(op);
    return statistics.addAfter(op), success();
  });
  converter.add([&](CompressMatrixOp op) { compress(context, op); });
  converter.add([&](DecompressMatrixOp op) { decompress(context, op); });
  if (update || !context.module.threads)
    converter.add([&](NoOperationMarkerOp op) {
      kernel::ComputeObjectivesOp::create(context.kernels.getBuilder(),
                                          op.getLoc());
    });
  converter.setFinish([&, update](EntryAttributes &attributes) {
    builder.fillZeros();
    attributes.gradients = builder.getGradients();
    attributes.parameters = update ? update->getParameters() : ArrayAttr();
    attributes.statistics = stages.getLayout().get(stages.getStatisticsPlace());
    attributes.random = stages.getRandomPlace();
  });
}
