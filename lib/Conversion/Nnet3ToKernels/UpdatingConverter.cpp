//===- UpdatingConverter.cpp - Training steps on a device -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "UpdatingConverter.h"
#include "TimeRows.h"

#include "nnet3/Arithmetic/Preconditioning.h"
#include "nnet3/Dialect/Nnet3/IR/ComponentParts.h"
#include "nnet3/Dialect/Nnet3/IR/MatrixLayout.h"
#include "nnet3/Dialect/Nnet3/IR/NetworkOps.h"

using namespace mlir;
using namespace mlir::nnet3;

/// Floats that begin a new line of the device's cache.
static int64_t align(int64_t floats) { return llvm::alignTo(floats, 64); }

/// Rows of factors begin at multiples of 16 bytes.
static int64_t alignStride(int64_t columns) {
  return llvm::alignTo(columns, 4);
}

static AffineKernelInterface getAffine(Operation *component) {
  auto affine = dyn_cast<AffineKernelInterface>(component);
  return affine && affine.isAffine() && !affine.hasWeightsPerBlock()
             ? affine
             : AffineKernelInterface();
}

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

/// Of the terms of a sum, which are rows: those of several blocks are behind
/// each other.
static int64_t getTermStride(BackwardKernelInterface component) {
  const int64_t columns = component.getSumColumns();
  return component.getSumBlocks() == 1 ? alignStride(columns) : columns;
}

/// Floats that what is preconditioned of a command needs.
static int64_t getScratchSize(BackpropOp op, Operation *component) {
  const int64_t rows = numRows(op.getOutputDeriv());
  auto size = [](int64_t rows, int64_t columns) {
    return align(rows * alignStride(columns));
  };
  auto affine = dyn_cast<AffineKernelInterface>(component);
  auto sums = dyn_cast<BackwardKernelInterface>(component);
  switch (getPreconditioning(component)) {
  case Preconditioning::None:
    return 0;
  case Preconditioning::Rows:
    return size(rows, affine.getWeightColumns() + 1) +
           size(rows, affine.getWeightRows());
  case Preconditioning::Products:
    return size(affine.getWeightRows(), affine.getWeightColumns() + 1) +
           size(1, affine.getWeightRows());
  case Preconditioning::Sums:
    return size(sums.getSums().size(), sums.getSumColumns());
  case Preconditioning::Terms:
    return align(rows * sums.getSumBlocks() * getTermStride(sums));
  case Preconditioning::Factors:
    return size(rows, affine.getWeightColumns()) +
           size(rows, affine.getWeightRows());
  }
  llvm_unreachable("unknown kind of preconditioning");
}

/// What one command needs at most.
static int64_t getScratchSize(ComputationOp computation,
                              ComponentTable &components) {
  int64_t size = 0;
  for (auto op : computation.getBody().getOps<BackpropOp>())
    size =
        std::max(size, getScratchSize(op, components.find(op.getComponent())));
  return size;
}

UpdatingConverter::UpdatingConverter(ComputationOp computation,
                                     KernelModule &module)
    : TrainingConverter(computation, module), computation(computation) {
  gradientSize = scratchSize = getScratchSize(computation, components);
  addParameters();
}

/// Weights and biases of affine components are read as they are; of what other
/// components read the parameters are part, or there is a copy.
int64_t UpdatingConverter::getParameter(ComponentOpInterface component,
                                        const TensorSpec &spec) {
  if (AffineKernelInterface affine = getAffine(component)) {
    if (affine.getWeightsName() == spec.name)
      return module.weights.getMatrix(component, /*folded=*/{});
    if (affine.getBiasName() == spec.name)
      return module.weights.getBias(component, /*folded=*/{});
  }
  return module.weights.getParameter(component, spec.name,
                                     ShapedType::getNumElements(spec.shape));
}

void UpdatingConverter::addParameters(ComponentOpInterface component,
                                      StringAttr whole, StringRef prefix) {
  if (!has(component.getComponentProperties(), ComponentProperties::Updatable))
    return;
  for (const TensorSpec &spec : component.getTensors()) {
    if (!spec.isParameter || !component->hasAttr(spec.name))
      continue;
    MLIRContext *context = component->getContext();
    parameters.push_back(kernel::ParameterAttr::get(
        context, whole, StringAttr::get(context, prefix + spec.name),
        getParameter(component, spec), ShapedType::getNumElements(spec.shape)));
  }
}

void UpdatingConverter::addParameters() {
  auto network = SymbolTable::lookupNearestSymbolFrom<NetworkOp>(
      computation->getParentOp(), computation.getNetworkAttr());
  for (auto whole : network.getBody().front().getOps<ComponentOpInterface>())
    forEachPart(whole, [&](ComponentOpInterface part, StringRef prefix) {
      addParameters(part, SymbolTable::getSymbolName(whole), prefix);
    });
}

ArrayAttr UpdatingConverter::getParameters() const {
  return ArrayAttr::get(computation->getContext(), parameters);
}

//===----------------------------------------------------------------------===//
// Pieces
//===----------------------------------------------------------------------===//

UpdatingConverter::Rows UpdatingConverter::makeRows(int64_t rows,
                                                    int64_t columns) {
  return makeRows(rows, columns, alignStride(columns));
}

UpdatingConverter::Rows
UpdatingConverter::makeRows(int64_t rows, int64_t columns, int64_t stride) {
  const Rows made = {arena.getSize() + scratch, rows, columns, stride};
  scratch += align(rows * stride);
  assert(scratch <= scratchSize && "more than was counted");
  return made;
}

void UpdatingConverter::precondition(BackpropOp op, int64_t number,
                                     const Rows &rows, bool isTwoSided) {
  OpBuilder &builder = kernels.getBuilder();
  auto part = getPartNumber(components.find(op.getComponent()));
  kernel::PreconditionOp::create(
      builder, op.getLoc(),
      kernels.createRows(rows.place, rows.rows, rows.columns, rows.stride),
      op.getComponent().getNestedReferences()[0].getAttr(),
      builder.getI64IntegerAttr(number),
      part ? builder.getI64IntegerAttr(*part) : IntegerAttr(),
      isTwoSided ? builder.getUnitAttr() : UnitAttr());
}

void UpdatingConverter::copyRows(BackpropOp op, const Rows &from, int64_t dest,
                                 int64_t stride, bool adds) {
  kernels.createCopy(
      kernels.createRows(from.place, from.rows, from.columns, from.stride),
      kernels.createRows(dest, from.rows, from.columns, stride), /*alpha=*/1,
      adds);
}

UpdatingConverter::Rows
UpdatingConverter::storeTerms(BackpropOp op, BackwardKernelInterface component,
                              unsigned sum) {
  const int64_t columns = component.getSumColumns(),
                blocks = component.getSumBlocks();
  const int64_t rows = numRows(op.getOutputDeriv());
  const Rows terms = makeRows(rows * blocks, columns, getTermStride(component));
  RowOperands operands = createOperands(op, component);
  operands.stored = kernels.createRows(terms.place, rows, columns * blocks,
                                       terms.stride * blocks);
  mapRows(operands, /*parts=*/1, [&](RowEmission &row) {
    row.forEach(columns * blocks, [&](Value column) {
      row.store(component.emitSums(row, column)[sum], column);
    });
  });
  return terms;
}

UpdatingConverter::Rows UpdatingConverter::copy(BackpropOp op,
                                                const Rows &rows) {
  const Rows made = makeRows(rows.rows, rows.columns);
  copyRows(op, rows, made.place, made.stride);
  return made;
}

/// The rows [X_1 X_2 ... 1], the 1 for a bias.
UpdatingConverter::Rows
UpdatingConverter::gatherInput(BackpropOp op, AffineKernelInterface affine,
                               bool hasOnes) {
  const Value input = op.getInputValue();
  const int64_t width = affine.getWeightColumns();
  const Rows made = makeRows(numRows(op.getOutputDeriv()), width + hasOnes);
  const SmallVector<TimeRows> times = getTimeRows(op);
  for (const AffineTerm &term : affine.getTerms(/*block=*/0)) {
    const TimeRows &rows = times[term.time];
    copyRows(
        op,
        {arena.getOffset(input) + rows.first * getRowStride(input) + term.input,
         made.rows, term.columns, rows.step * getRowStride(input)},
        made.place + term.weights, made.stride);
  }
  if (hasOnes)
    fillRows({made.place + width, made.rows, 1, made.stride}, 1);
  return made;
}

//===----------------------------------------------------------------------===//
// Preconditioned gradients
//===----------------------------------------------------------------------===//

/// The gradient is that of a map without bias whose input has a column of ones.
void UpdatingConverter::updateFromRows(BackpropOp op,
                                       AffineKernelInterface affine) {
  const bool hasBias = bool(affine.getBiasName());
  Rows x = gatherInput(op, affine, hasBias);
  const Value deriv = op.getOutputDeriv();
  const Rows y = copy(op, {arena.getOffset(deriv), numRows(deriv),
                           numCols(deriv), getRowStride(deriv)});
  precondition(op, 0, x);
  precondition(op, 1, y);
  const int64_t width = affine.getWeightColumns();
  x.columns = width;
  addToGradient(op, y, x,
                {getGradient(op, affine.getWeightsName(), y.columns, width),
                 y.columns, width, width});
  if (hasBias)
    addToGradient(
        op, y, {x.place + width, x.rows, 1, x.stride},
        {getGradient(op, affine.getBiasName(), 1, y.columns), y.columns, 1, 1});
}

/// The gradient [dW db] of all blocks; its rows are preconditioned, and those
/// of a convolution's transpose.
void UpdatingConverter::updateFromProducts(BackpropOp op,
                                           AffineKernelInterface affine) {
  const Value deriv = op.getOutputDeriv(), input = op.getInputValue();
  const int64_t outputs = affine.getWeightRows(),
                width = affine.getWeightColumns();
  const Rows gradient = makeRows(outputs, width + 1);
  const Rows bias = makeRows(1, outputs);
  const SmallVector<TimeRows> times = getTimeRows(op);
  // The first product of each column writes it; that of the bias is copied.
  WrittenParts written(outputs, width + 1);
  written.write({0, outputs, width, 1});
  struct Term {
    Rows y, x, part;
    bool adds;
  };
  SmallVector<Term> sum;
  for (int64_t block = 0; block < affine.getNumBlocks(); ++block) {
    const Rows y = {arena.getOffset(deriv) + block * outputs, numRows(deriv),
                    outputs, getRowStride(deriv)};
    for (const AffineTerm &term : affine.getTerms(block)) {
      const TimeRows &rows = times[term.time];
      const Rows x = {arena.getOffset(input) +
                          rows.first * getRowStride(input) + term.input,
                      y.rows, term.columns, rows.step * getRowStride(input)};
      const Rows part = {gradient.place + term.weights, outputs, term.columns,
                         gradient.stride};
      sum.push_back(
          {y, x, part, !written.put({0, outputs, term.weights, term.columns})});
    }
  }
  if (!written.getZeros().empty())
    fillRows(gradient, 0);
  for (const Term &term : sum)
    addRowProduct(term.y, term.x, term.part, term.adds);
  addColumns({arena.getOffset(deriv), numRows(deriv),
              affine.getNumBlocks() * outputs, getRowStride(deriv)},
             outputs, bias.place, /*adds=*/false);
  copyRows(op, {bias.place, outputs, 1, 1}, gradient.place + width,
           gradient.stride);
  precondition(
      op, 0, gradient,
      /*isTwoSided=*/isa<TimeHeightConvolutionOp>(affine.getOperation()));
  addToGradient(op, {gradient.place, outputs, width, gradient.stride},
                {getGradient(op, affine.getWeightsName(), outputs, width),
                 outputs, width, width});
  addToGradient(
      op, {gradient.place + width, outputs, 1, gradient.stride},
      {getGradient(op, affine.getBiasName(), 1, outputs), outputs, 1, 1});
}

void UpdatingConverter::updateFromSums(BackpropOp op,
                                       BackwardKernelInterface component) {
  const int64_t columns = component.getSumColumns();
  const SmallVector<StringRef> names = component.getSums();
  Rows sums = makeRows(names.size(), columns);
  SmallVector<int64_t> dests;
  for (size_t i = 0; i < names.size(); ++i)
    dests.push_back(sums.place + i * sums.stride);
  addSums(op, component, dests, /*adds=*/false);
  precondition(op, 0, sums);
  addToGradient(op, sums,
                {getGradient(op, names[0], names.size(), columns), sums.rows,
                 columns, columns});
}

/// Each sum has a preconditioner, whose rows are its terms.
void UpdatingConverter::updateFromTerms(BackpropOp op,
                                        BackwardKernelInterface component) {
  for (auto [i, name] : llvm::enumerate(component.getSums())) {
    scratch = 0;
    const Rows terms = storeTerms(op, component, i);
    precondition(op, i, terms);
    const Rows part = {getGradient(op, name, 1, terms.columns), 1,
                       terms.columns, terms.columns};
    addColumns(terms, terms.columns, part.place, addsTo(part));
  }
}

/// Of preconditioned copies.
void UpdatingConverter::addFactorGradient(BackpropOp op,
                                          AffineKernelInterface affine,
                                          const Rows &y, const Rows &x) {
  const Rows ofX = copy(op, x), ofY = copy(op, y);
  precondition(op, 0, ofX);
  precondition(op, 1, ofY);
  TrainingConverter::addFactorGradient(op, affine, ofY, ofX);
}

//===----------------------------------------------------------------------===//
// Commands
//===----------------------------------------------------------------------===//

bool UpdatingConverter::updates(BackpropOp op) {
  return op != done && TrainingConverter::updates(op);
}

void UpdatingConverter::convertMarker(NoOperationMarkerOp op) {
  kernel::ComputeObjectivesOp::create(kernels.getBuilder(), op.getLoc());
}

LogicalResult UpdatingConverter::convertBackward(BackpropOp op) {
  if (!updates(op))
    return TrainingConverter::convertBackward(op);
  Operation *component = components.find(op.getComponent());
  auto affine = dyn_cast<AffineKernelInterface>(component);
  auto row = dyn_cast<BackwardKernelInterface>(component);
  const Preconditioning kind = getPreconditioning(component);
  scratch = 0;
  if (kind == Preconditioning::Rows)
    updateFromRows(op, affine);
  else if (kind == Preconditioning::Products)
    updateFromProducts(op, affine);
  else if (kind == Preconditioning::Sums)
    updateFromSums(op, row);
  else if (kind == Preconditioning::Terms)
    updateFromTerms(op, row);
  else // what is preconditioned there is in the middle of the backward pass
    return TrainingConverter::convertBackward(op);
  done = op;
  return TrainingConverter::convertBackward(op);
}
