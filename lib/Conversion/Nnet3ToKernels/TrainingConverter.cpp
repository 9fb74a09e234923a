//===- TrainingConverter.cpp - Backward passes on a device ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TrainingConverter.h"
#include "TimeRows.h"

#include "nnet3/Arithmetic/ColumnSums.h"
#include "nnet3/Arithmetic/PrecomputedRows.h"
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
         isa<DistributeOp>(component);
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
  flush();
  auto zeros = gradients.getZeros();
  if (!zeros)
    return;
  // In rows of the arena's unit: a single one may be longer than a device can
  // launch.
  RowKernel kernel;
  kernel.operation = RowOperation::Fill;
  kernel.columns = kUnit;
  kernel.destStride = kUnit;
  kernel.rows = llvm::divideCeil(zeros->second - zeros->first, kUnit);
  kernel.alpha = 0;
  OpBuilder::InsertionGuard guard(kernels.getBuilder());
  kernels.goToBegin();
  launch("rows", kernel, zeros->first);
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
  if (auto distribute = dyn_cast<DistributeOp>(model))
    return convertDistributeBackward(op, distribute), success();
  return op.emitOpError("has no backward pass for devices: component '")
         << op.getComponent().getLeafReference().getValue() << "'";
}

void TrainingConverter::addSums(
    const RowOperands &operands, int64_t width, int64_t blocks,
    ArrayRef<int64_t> dests, bool adds,
    function_ref<SmallVector<Value>(RowEmission &, Value)> terms) {
  flush();
  const int64_t rows = kernel::getShape(operands.derivative.getType()).first;
  const int64_t size = ColumnSums(rows, width * blocks, dests.size())
                           .foldTo(width)
                           .getScratchSize();
  Value scratch = size ? kernels.createScratch(0, size) : Value();
  auto outputs = llvm::map_to_vector(dests, [&](int64_t dest) {
    return kernels.createRows(dest, 1, width, width);
  });
  RowEmission::reduceRows(kernels.getBuilder(), kernels.getLoc(), operands,
                          outputs, scratch, blocks, adds, terms);
}

void TrainingConverter::addColumns(const Rows &rows, int64_t width,
                                   int64_t dest, bool adds) {
  RowOperands operands;
  operands.derivative =
      kernels.createRows(rows.place, rows.rows, rows.columns, rows.stride);
  addSums(operands, width, rows.columns / width, dest, adds,
          [](RowEmission &row, Value column) {
            return SmallVector<Value>{row.loadDerivative(column)};
          });
}

void TrainingConverter::fillRows(const Rows &rows, float value) {
  RowKernel kernel;
  kernel.operation = RowOperation::Fill;
  kernel.rows = rows.rows;
  kernel.columns = rows.columns;
  kernel.destStride = rows.stride;
  kernel.alpha = value;
  add(kernel, {rows.place});
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
  MatmulShape kernel;
  kernel.factors = kernel::MatmulFactors::TN;
  kernel.rows = x.columns;
  kernel.columns = w.columns;
  kernel.depth = x.rows;
  kernel.inputStride = x.stride;
  kernel.weightsStride = w.stride;
  kernel.outputStride = y.stride;
  kernel.beta = adds;
  addMatmul(kernel, {w.place, x.place, y.place});
}

void TrainingConverter::addStageProduct(Operation *op,
                                        ComponentOpInterface component,
                                        const StageProduct &product,
                                        ArrayRef<int64_t> dests) {
  if (!product.factor)
    return DeviceConverter::addStageProduct(op, component, product, dests);
  const StageMatrix &input = product.input, &factor = *product.factor;
  const Rows dest = {dests[product.gradient], product.rows, product.columns,
                     product.columns};
  addRowProduct({input.place, product.depth, product.rows, input.stride},
                {factor.place, product.depth, product.columns, factor.stride},
                dest, addsTo(dest));
}

/// In the order of StageOperands, those that there are.
void TrainingConverter::addMatrices(BackpropOp op, OperandShapes &operands,
                                    SmallVectorImpl<int64_t> &places) {
  const std::pair<Value, std::optional<int64_t> *> matrices[] = {
      {op.getInputDeriv(), &operands.destStride},
      {op.getOutputDeriv(), &operands.derivStride},
      {op.getInputValue(), &operands.inputStride},
      {op.getOutputValue(), &operands.outputStride}};
  for (auto [matrix, stride] : matrices) {
    if (!matrix)
      continue;
    *stride = getRowStride(matrix);
    places.push_back(arena.getOffset(matrix));
  }
}

LogicalResult
TrainingConverter::convertStagedBackward(BackpropOp op,
                                         StagedKernelInterface component) {
  StageKernel kernel;
  kernel.component = component;
  kernel.command = getStagedCommand(op, updates(op));
  if (!op.getMemo() && component.getMemoSize(kernel.command) > 0)
    return op.emitOpError("expects the memo of component '")
           << op.getComponent().getLeafReference().getValue() << "'";
  SmallVector<int64_t> gradients;
  if (updates(op))
    for (const StagedGradient &gradient : component.getStagedGradients())
      gradients.push_back(
          getGradient(op, gradient.name, gradient.rows, gradient.columns));
  OperandShapes &operands = kernel.operands;
  SmallVector<int64_t> places;
  if (auto repairs = getRepairs(component)) {
    operands.hasRepairs = true;
    places.push_back(*repairs);
  }
  operands.adds = op.getInputDeriv() && addsToInputDerivative(op);
  addMatrices(op, operands, places);
  addStages(op, kernel, gradients, op.getMemo() ? getMemo(op.getMemo()) : 0,
            places);
  return success();
}

bool TrainingConverter::addsToInputDerivative(BackpropOp op) {
  return has(components.getProperties(op.getComponent()),
             ComponentProperties::BackpropAdds) &&
         !firstWrites.writes(op) &&
         !(MatrixWindow::get(op.getInputDeriv()) ==
           MatrixWindow::get(op.getOutputDeriv()));
}

RowOperands
TrainingConverter::createOperands(BackpropOp op,
                                  BackwardKernelInterface backward) {
  ComponentOpInterface component = components.find(op.getComponent());
  RowOperands operands;
  if (Value input = op.getInputValue())
    operands.input = createMatrix(input);
  if (Value output = op.getOutputValue())
    operands.output = createMatrix(output);
  operands.derivative = createMatrix(op.getOutputDeriv());
  if (auto place = getRepairs(component))
    operands.repairs = kernels.createScratch(
        *place, cast<StatisticsKernelInterface>(component.getOperation())
                    .getNumRepairs());
  auto blocks = dyn_cast<BlockKernelInterface>(component.getOperation());
  const int64_t columns =
      blocks ? blocks.getBlockColumns() : component.getComponentOutputDim();
  for (unsigned i = 0; i < backward.getNumBackwardVectors(); ++i)
    operands.vectors.push_back(
        kernels.createVector(module.weights.getVector(component, i), columns));
  return operands;
}

void TrainingConverter::addSums(BackpropOp op,
                                BackwardKernelInterface component,
                                ArrayRef<int64_t> dests, bool adds) {
  addSums(createOperands(op, component), component.getSumColumns(),
          component.getSumBlocks(), dests, adds,
          [&](RowEmission &row, Value column) {
            return component.emitSums(row, column);
          });
}

void TrainingConverter::addGradients(BackpropOp op,
                                     BackwardKernelInterface component) {
  const SmallVector<StringRef> names = component.getSums();
  if (names.empty())
    return;
  const int64_t columns = component.getSumColumns();
  SmallVector<int64_t> dests;
  SmallVector<Rows> parts;
  for (auto [number, name] : llvm::enumerate(names)) {
    const int64_t row = llvm::count(ArrayRef(names).take_front(number), name);
    dests.push_back(getGradient(op, name, llvm::count(names, name), columns) +
                    row * columns);
    parts.push_back({dests.back(), 1, columns, columns});
  }
  addSums(op, component, dests, addsTo(parts));
}

/// The sums come first: the rows may be written over what they are of.
void TrainingConverter::convertRowBackward(BackpropOp op,
                                           BackwardKernelInterface component) {
  const Value inDeriv = op.getInputDeriv();
  if (updates(op))
    addGradients(op, component);
  if (!inDeriv)
    return;
  if (!component.hasInputDerivative()) {
    if (!addsToInputDerivative(op) && numRows(inDeriv) > 0)
      fill(inDeriv, 0);
    return;
  }
  RowOperands operands = createOperands(op, component);
  operands.stored = createMatrix(inDeriv);
  operands.adds = addsToInputDerivative(op);
  const SmallVector<int64_t> numbers =
      component.getRowNumbers(op.getPrecomputedAttr(), numRows(inDeriv));
  if (!numbers.empty())
    operands.rowNumbers =
        kernels.createRowIndexes(module.tables.add(numbers), numbers.size());
  for (const auto &list : component.getBackwardIndexes())
    operands.indexes.push_back(
        kernels.createIndexes(module.tables.add(list), list.size()));
  flush();
  RowEmission::mapRows(kernels.getBuilder(), kernels.getLoc(), operands,
                       component.getNumBackwardParts(), [&](RowEmission &row) {
                         component.emitBackwardRow(row);
                       });
}

/// Each block of a row of the input gets the derivative of the row of the
/// output that it becomes, or none (spec: components.md 6.45). What is
/// precomputed is that of one sequence; the rows of all sequences lie next to
/// each other.
void TrainingConverter::convertDistributeBackward(BackpropOp op,
                                                  DistributeOp distribute) {
  const Value deriv = op.getOutputDeriv(), inDeriv = op.getInputDeriv();
  if (!inDeriv)
    return;
  const int64_t dim = distribute.getOutputDim(),
                numBlocks = distribute.getInputDim() / dim;
  const auto rows = getPrecomputedRows(op.getPrecomputedAttr(), "rows");
  const auto blocks = getPrecomputedRows(op.getPrecomputedAttr(), "blocks");
  const int64_t sequences = numRows(deriv) / int64_t(rows.size());
  SmallVector<int64_t> from(numRows(inDeriv) * numBlocks, -1), to;
  for (int64_t row = 0; row < numRows(deriv); ++row) {
    const int64_t entry = row / sequences;
    const int64_t input = rows[entry] * sequences + row % sequences;
    from[input * numBlocks + blocks[entry]] =
        arena.getOffset(deriv) + row * getRowStride(deriv);
  }
  for (size_t i = 0; i < from.size(); ++i)
    to.push_back(arena.getOffset(inDeriv) +
                 i / numBlocks * getRowStride(inDeriv) + i % numBlocks * dim);
  RowKernel kernel;
  kernel.operation =
      addsToInputDerivative(op) ? RowOperation::Add : RowOperation::Copy;
  kernel.rows = from.size();
  kernel.columns = dim;
  if (getRowStride(inDeriv) == distribute.getInputDim())
    kernel.destStride = dim;
  add(kernel, {kernel.destStride ? to[0] : module.tables.add(to),
               module.tables.add(from)});
}
