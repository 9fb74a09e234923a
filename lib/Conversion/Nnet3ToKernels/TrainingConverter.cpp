//===- TrainingConverter.cpp - Backward passes on a device ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TrainingConverter.h"
#include "TimeRows.h"

#include "nnet3/Dialect/Nnet3/Analysis/MatrixWindow.h"
#include "nnet3/Dialect/Nnet3/IR/ComponentParts.h"
#include "nnet3/Dialect/Nnet3/IR/MatrixLayout.h"

using namespace mlir;
using namespace mlir::nnet3;

/// Gradients are so many floats apart, or a multiple of it.
static constexpr int64_t kUnit = 64;

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

TrainingConverter::TrainingConverter(ComputationOp computation,
                                     KernelModule &module)
    : DeviceConverter(computation, module),
      firstWrites(computation, [this](BackpropOp op) { return mayWrite(op); }) {
}

/// Stages may leave parts of the derivative as they are.
bool TrainingConverter::mayWrite(BackpropOp op) {
  if (getStaged(op, components))
    return false;
  Operation *component = components.find(op.getComponent());
  auto affine = dyn_cast<AffineKernelInterface>(component);
  auto row = dyn_cast<BackwardKernelInterface>(component);
  return (affine && affine.isAffine()) || (row && row.hasBackwardKernel()) ||
         copiesBlocks(component);
}

int64_t TrainingConverter::getGradient(BackpropOp op, StringRef parameter,
                                       int64_t rows, int64_t cols) {
  const int64_t next = arena.getSize() + gradientSize;
  const int64_t place =
      gradients.get(op.getComponent().getNestedReferences()[0].getAttr(),
                    getParameterName(op, parameter), next, rows, cols);
  if (place == next)
    gradientSize += llvm::alignTo(rows * cols, kUnit);
  return place;
}

StringAttr TrainingConverter::getParameterName(BackpropOp op,
                                               StringRef parameter) {
  return StringAttr::get(op.getContext(),
                         getPartPrefix(components.find(op.getComponent())) +
                             parameter);
}

bool TrainingConverter::updates(BackpropOp op) {
  return op.getUpdate() && has(components.getProperties(op.getComponent()),
                               ComponentProperties::Updatable);
}

/// What some command adds to, and none has written before, begins with zeros.
void TrainingConverter::finish() {
  auto zeros = gradients.getZeros();
  if (!zeros)
    return;
  // In rows of the arena's unit: a single one may be longer than a device can
  // launch.
  const int64_t rows = llvm::divideCeil(zeros->second - zeros->first, kUnit);
  OpBuilder::InsertionGuard guard(kernels.getBuilder());
  kernels.goToBegin();
  kernels.createFill(kernels.createRows(zeros->first, rows, kUnit, kUnit), 0);
}

LogicalResult TrainingConverter::convertUnknown(Operation *op) {
  if (auto stats = dyn_cast<StoreStatsOp>(op))
    return addStatistics(stats), success();
  if (auto packing = dyn_cast<CompressMatrixOp>(op))
    return compress(packing), success();
  if (auto unpacking = dyn_cast<DecompressMatrixOp>(op))
    return decompress(unpacking), success();
  auto backprop = dyn_cast<BackpropOp>(op);
  if (!backprop)
    return DeviceConverter::convertUnknown(op);
  if (begun.insert(components.find(backprop.getComponent()).getOperation())
          .second)
    addStatistics(backprop, StatisticsPhase::Begin);
  addStatistics(backprop, StatisticsPhase::Before);
  if (failed(convertBackward(backprop)))
    return failure();
  addStatistics(backprop, StatisticsPhase::After);
  return success();
}

LogicalResult TrainingConverter::convertBackward(BackpropOp op) {
  ComponentOpInterface component = components.find(op.getComponent());
  Operation *model = component.getOperation();
  if (auto staged = getStaged(op, components))
    return convertStagedBackward(op, staged);
  auto affine = dyn_cast<AffineKernelInterface>(model);
  if (affine && affine.isAffine())
    return convertAffineBackward(op, affine), success();
  auto row = dyn_cast<BackwardKernelInterface>(model);
  if (row && row.hasBackwardKernel())
    return convertRowBackward(op, row), success();
  if (copiesBlocks(model))
    return convertDistributeBackward(op), success();
  return op.emitOpError("has no backward pass for devices: component '")
         << op.getComponent().getLeafReference().getValue() << "'";
}

void TrainingConverter::fillRows(const Rows &rows, float value) {
  kernels.createFill(
      kernels.createRows(rows.place, rows.rows, rows.columns, rows.stride),
      value);
}

void TrainingConverter::fillZeros(AllocMatrixZeroedOp op) {
  const Value matrix = op.getResult();
  const int64_t stride = getRowStride(matrix);
  for (auto [first, count] : firstWrites.getZeros(op))
    fillRows({arena.getOffset(matrix) + first * stride, count, numCols(matrix),
              stride},
             0);
}

void TrainingConverter::addRowProduct(const Rows &x, const Rows &w,
                                      const Rows &y, bool adds) {
  kernels.createMatmul(
      kernel::MatmulFactors::TN,
      kernels.createRows(w.place, w.rows, w.columns, w.stride),
      kernels.createBatch({x.place, x.rows, x.stride}, x.columns),
      kernels.createBatch({y.place, x.columns, y.stride}, w.columns), adds);
}

RowOperands TrainingConverter::createMatrices(BackpropOp op) {
  RowOperands operands;
  auto create = [&](Value matrix) {
    return matrix ? createMatrix(matrix) : Value();
  };
  operands.input = create(op.getInputValue());
  operands.output = create(op.getOutputValue());
  operands.derivative = create(op.getOutputDeriv());
  operands.stored = create(op.getInputDeriv());
  return operands;
}

LogicalResult
TrainingConverter::convertStagedBackward(BackpropOp op,
                                         StagedKernelInterface component) {
  const StagedCommand command = getStagedCommand(op);
  if (!op.getMemo() && component.getMemoSize(command) > 0)
    return op.emitOpError("expects the memo of component '")
           << op.getComponent().getLeafReference().getValue() << "'";
  RowOperands operands = createMatrices(op);
  operands.adds = op.getInputDeriv() && addsToInputDerivative(op);
  addStages(component, command, op.getMemo() ? getMemo(op.getMemo()) : 0,
            operands);
  return success();
}

bool TrainingConverter::addsToInputDerivative(BackpropOp op) {
  return has(components.getProperties(op.getComponent()),
             ComponentProperties::BackpropAdds) &&
         !firstWrites.writes(op) &&
         !(MatrixWindow::get(op.getInputDeriv()) ==
           MatrixWindow::get(op.getOutputDeriv()));
}
