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
  return (affine && affine.isAffine()) || (row && row.hasBackwardKernel());
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
  return op.emitOpError("has no backward pass for devices: component '")
         << op.getComponent().getLeafReference().getValue() << "'";
}

void TrainingConverter::addSumStages(Operation *op, SumKernel kernel,
                                     ArrayRef<int64_t> vectors,
                                     ArrayRef<int64_t> dests,
                                     ArrayRef<int64_t> matrices) {
  SmallVector<int64_t> places(vectors);
  llvm::append_range(places, dests);
  places.append({/*no memo*/ 0, /*scratch*/ 0});
  llvm::append_range(places, matrices);
  const unsigned stages = kernel.getSums().getNumStages();
  for (kernel.stage = 0; kernel.stage < stages; ++kernel.stage)
    launch("sums", kernel, places);
}

void TrainingConverter::addColumns(Operation *op, const Rows &rows,
                                   int64_t width, int64_t dest, bool adds) {
  SumKernel kernel;
  kernel.sums = {0};
  kernel.rows = rows.rows;
  kernel.columns = rows.columns;
  kernel.width = width;
  kernel.derivStride = rows.stride;
  kernel.adds = adds;
  addSumStages(op, kernel, /*vectors=*/{}, dest, rows.place);
}

void TrainingConverter::fillRows(Operation *op, const Rows &rows, float value) {
  kernels.createFill(
      kernels.createRows(rows.place, rows.rows, rows.columns, rows.stride),
      value);
}

void TrainingConverter::fillZeros(AllocMatrixZeroedOp op) {
  const Value matrix = op.getResult();
  const int64_t stride = getRowStride(matrix);
  for (auto [first, count] : firstWrites.getZeros(op))
    fillRows(op,
             {arena.getOffset(matrix) + first * stride, count, numCols(matrix),
              stride},
             0);
}

void TrainingConverter::addRowProduct(Operation *op, const Rows &x,
                                      const Rows &w, const Rows &y, bool adds) {
  kernels.createMatmul(
      kernel::MatmulFactors::TN,
      kernels.createRows(w.place, w.rows, w.columns, w.stride),
      kernels.createBatch({x.place, x.rows, x.stride}, x.columns),
      kernels.createBatch({y.place, x.columns, y.stride}, w.columns), adds);
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
  addRowProduct(op, {input.place, product.depth, product.rows, input.stride},
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

BackwardKernel
TrainingConverter::makeBackwardKernel(BackpropOp op,
                                      BackwardKernelInterface component,
                                      SmallVectorImpl<int64_t> &places) {
  const Value deriv = op.getOutputDeriv();
  BackwardKernel kernel;
  kernel.component = component;
  kernel.rows = numRows(deriv);
  kernel.derivStride = getRowStride(deriv);
  for (unsigned i = 0; i < kernel.getNumVectors(); ++i)
    places.push_back(
        module.weights.getVector(components.find(op.getComponent()), i));
  if (auto repairs = getRepairs(components.find(op.getComponent()))) {
    kernel.hasRepairs = true;
    places.push_back(*repairs);
  }
  places.append({/*what is written*/ 0, arena.getOffset(deriv)});
  if (Value input = op.getInputValue()) {
    kernel.inputStride = getRowStride(input);
    places.push_back(arena.getOffset(input));
  }
  if (Value output = op.getOutputValue()) {
    kernel.outputStride = getRowStride(output);
    places.push_back(arena.getOffset(output));
  }
  return kernel;
}

void TrainingConverter::addSums(BackpropOp op,
                                BackwardKernelInterface component,
                                ArrayRef<unsigned> sums,
                                ArrayRef<int64_t> dests, bool adds) {
  SmallVector<int64_t> places;
  const BackwardKernel row = makeBackwardKernel(op, component, places);
  SumKernel kernel;
  kernel.component = component;
  kernel.sums.assign(sums.begin(), sums.end());
  kernel.rows = row.rows;
  kernel.width = component.getSumColumns(sums[0]);
  kernel.columns = kernel.width * component.getSumBlocks(sums[0]);
  kernel.derivStride = row.derivStride;
  kernel.inputStride = row.inputStride;
  kernel.outputStride = row.outputStride;
  kernel.adds = adds;
  kernel.hasRepairs = row.hasRepairs;
  const unsigned numVectors = row.getNumVectors();
  const ArrayRef<int64_t> vectors = ArrayRef(places).take_front(numVectors);
  // Repairs, if there are any, and matrices.
  SmallVector<int64_t> others(ArrayRef(places).drop_front(numVectors));
  others.erase(others.begin() + (row.getDest() - numVectors));
  addSumStages(op, kernel, vectors, dests, others);
}

/// Neighbouring sums of equally many columns and blocks are added up at once.
void TrainingConverter::addGradients(BackpropOp op,
                                     BackwardKernelInterface component) {
  const SmallVector<StringRef> names = component.getSums();
  SmallVector<unsigned> sums;
  SmallVector<int64_t> dests;
  SmallVector<Rows> parts;
  for (auto [number, name] : llvm::enumerate(names)) {
    const int64_t columns = component.getSumColumns(number);
    const int64_t row = llvm::count(ArrayRef(names).take_front(number), name);
    sums.push_back(number);
    dests.push_back(getGradient(op, name, llvm::count(names, name), columns) +
                    row * columns);
    parts.push_back({dests.back(), 1, columns, columns});
    if (number + 1 < names.size() &&
        component.getSumColumns(number + 1) == columns &&
        component.getSumBlocks(number + 1) == component.getSumBlocks(number))
      continue;
    addSums(op, component, sums, dests, addsTo(parts));
    sums.clear();
    dests.clear();
    parts.clear();
  }
}

/// The sums come first: the rows may be written over what they are of.
void TrainingConverter::convertRowBackward(BackpropOp op,
                                           BackwardKernelInterface component) {
  const Value deriv = op.getOutputDeriv(), inDeriv = op.getInputDeriv();
  if (updates(op))
    addGradients(op, component);
  if (!inDeriv)
    return;
  if (!component.hasInputDerivative()) {
    if (!addsToInputDerivative(op) && numRows(inDeriv) > 0)
      kernels.createFill(createMatrix(inDeriv), 0);
    return;
  }
  SmallVector<int64_t> places;
  BackwardKernel kernel = makeBackwardKernel(op, component, places);
  kernel.columns = std::max(numCols(inDeriv), numCols(deriv));
  kernel.destStride = getRowStride(inDeriv);
  kernel.adds = addsToInputDerivative(op);
  places[kernel.getDest()] = arena.getOffset(inDeriv);
  launch("backward", kernel, places);
}
