//===- UpdatingConverter.cpp - Training steps on a device -----------------===//

#include "UpdatingConverter.h"
#include "TimeRows.h"

#include "nnet3/Dialect/Nnet3/IR/MatrixLayout.h"
#include "nnet3/Dialect/Nnet3/IR/NetworkOps.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::nnet3;

namespace {
/// What natural gradient preconditions.
enum class Preconditioning {
  None,
  Rows,     ///< of the input, with ones for a bias, and of the derivative
  Products, ///< the gradient, weights and bias side by side
  Sums,     ///< the gradient, a row for each sum
  Scales,   ///< what each row adds to the gradient of scales
  Offsets,  ///< the derivative, in blocks of the columns of offsets
  Unknown
};
} // namespace

template <typename OpTy>
static Preconditioning ifNatural(OpTy op, Preconditioning kind) {
  return op.getUseNaturalGradient() ? kind : Preconditioning::None;
}

static int64_t getBlockDim(Operation *op) {
  auto columns = op->getAttrOfType<IntegerAttr>("block_dim");
  return columns ? columns.getInt()
                 : op->getAttrOfType<IntegerAttr>("dim").getInt();
}

/// (spec: components.md 6)
static Preconditioning getPreconditioning(Operation *component) {
  using Result = Preconditioning;
  return TypeSwitch<Operation *, Result>(component)
      .Case([](NaturalGradientAffineOp) { return Result::Rows; })
      .Case<LinearOp, TdnnOp>(
          [](auto op) { return ifNatural(op, Result::Rows); })
      .Case([](NaturalGradientRepeatedAffineOp) { return Result::Products; })
      .Case([](TimeHeightConvolutionOp op) {
        return ifNatural(op, Result::Products);
      })
      .Case([](LstmNonlinearityOp) { return Result::Sums; })
      .Case([](NaturalGradientPerElementScaleOp) { return Result::Scales; })
      .Case([](ScaleAndOffsetOp op) {
        return op.getUseNaturalGradient() &&
                       getBlockDim(op) != int64_t(op.getDim())
                   ? Result::Unknown
                   : ifNatural(op, Result::Scales);
      })
      .Case(
          [](PerElementOffsetOp op) { return ifNatural(op, Result::Offsets); })
      .Case<ConstantOp, ConstantFunctionOp>(
          [](auto op) { return ifNatural(op, Result::Offsets); })
      .Case<GruNonlinearityOp, OutputGruNonlinearityOp, CompositeOp>(
          [](auto) { return Result::Unknown; })
      .Default([](Operation *) { return Result::None; });
}

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

/// Floats that one command needs at most, for what it preconditions.
static int64_t getScratchSize(ComputationOp computation,
                              ComponentTable &components) {
  int64_t size = 0;
  for (auto op : computation.getBody().getOps<BackpropOp>()) {
    Operation *component = components.find(op.getComponent());
    const int64_t rows = numRows(op.getOutputDeriv()),
                  columns = numCols(op.getOutputDeriv());
    int64_t here = align(rows * alignStride(columns));
    if (AffineKernelInterface affine = getAffine(component)) {
      const int64_t width = alignStride(affine.getWeightColumns() + 1);
      here += align(std::max(rows, affine.getWeightRows()) * width) +
              align(affine.getWeightRows());
    } else if (auto row = dyn_cast<BackwardKernelInterface>(component)) {
      int64_t sums = 0;
      for (size_t i = 0; i < row.getSums().size(); ++i)
        sums += align(row.getSumColumns(i));
      here = std::max(here, sums);
    }
    if (getPreconditioning(component) != Preconditioning::None)
      size = std::max(size, here);
  }
  return size;
}

UpdatingConverter::UpdatingConverter(ComputationOp computation,
                                     KernelModule &module)
    : TrainingConverter(computation, module), computation(computation) {
  gradientSize = getScratchSize(computation, components);
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

void UpdatingConverter::addParameters() {
  auto network = SymbolTable::lookupNearestSymbolFrom<NetworkOp>(
      computation->getParentOp(), computation.getNetworkAttr());
  for (auto component :
       network.getBody().front().getOps<ComponentOpInterface>()) {
    if (!has(component.getComponentProperties(),
             ComponentProperties::Updatable))
      continue;
    for (const TensorSpec &spec : component.getTensors()) {
      if (!spec.isParameter || !component->hasAttr(spec.name))
        continue;
      Builder builder(component->getContext());
      auto number = [&](int64_t value) {
        return builder.getI64IntegerAttr(value);
      };
      NamedAttribute entry[] = {
          {"component", SymbolTable::getSymbolName(component)},
          {"parameter", builder.getStringAttr(spec.name)},
          {"place", number(getParameter(component, spec))},
          {"size", number(ShapedType::getNumElements(spec.shape))}};
      parameters.push_back(builder.getDictionaryAttr(entry));
    }
  }
}

ArrayAttr UpdatingConverter::getParameters() const {
  return ArrayAttr::get(computation->getContext(), parameters);
}

//===----------------------------------------------------------------------===//
// Pieces
//===----------------------------------------------------------------------===//

UpdatingConverter::Rows UpdatingConverter::makeRows(int64_t rows,
                                                    int64_t columns) {
  const Rows made = {arena.getSize() + scratch, rows, columns,
                     alignStride(columns)};
  scratch += align(rows * made.stride);
  return made;
}

void UpdatingConverter::precondition(BackpropOp op, int64_t number,
                                     const Rows &rows, bool isTransposed) {
  StepKernel kernel;
  kernel.component = op.getComponent().getLeafReference();
  kernel.number = number;
  kernel.rows = rows.rows;
  kernel.columns = rows.columns;
  kernel.stride = rows.stride;
  kernel.isTransposed = isTransposed;
  add(op, kernel, {rows.place});
}

void UpdatingConverter::fill(BackpropOp op, const Rows &rows, float value) {
  RowKernel kernel;
  kernel.operation = RowOperation::Fill;
  kernel.rows = rows.rows;
  kernel.columns = rows.columns;
  kernel.destStride = rows.stride;
  kernel.alpha = value;
  add(op, kernel, {rows.place});
}

void UpdatingConverter::copyRows(BackpropOp op, const Rows &from, int64_t dest,
                                 int64_t stride, bool adds) {
  RowKernel kernel;
  kernel.operation = adds ? RowOperation::Add : RowOperation::Copy;
  kernel.rows = from.rows;
  kernel.columns = from.columns;
  kernel.sourceStride = from.stride;
  kernel.destStride = stride;
  add(op, kernel, {dest, from.place});
}

/// Y += X^T W.
void UpdatingConverter::addRowProduct(BackpropOp op, const Rows &x,
                                      const Rows &w, const Rows &y) {
  ProductKernel kernel;
  kernel.factors = ProductFactors::WeightDerivative;
  kernel.rows = x.columns;
  kernel.columns = w.columns;
  kernel.depth = x.rows;
  kernel.inputStride = x.stride;
  kernel.weightsStride = w.stride;
  kernel.outputStride = y.stride;
  kernel.beta = 1;
  add(op, kernel, {w.place, x.place, y.place});
}

void UpdatingConverter::storeTerms(BackpropOp op,
                                   BackwardKernelInterface component,
                                   const Rows &terms) {
  SmallVector<int64_t> places;
  BackwardKernel kernel = makeBackwardKernel(op, component, places);
  kernel.sum = 0;
  kernel.columns = terms.columns;
  kernel.destStride = terms.stride;
  places[kernel.getNumVectors()] = terms.place;
  add(op, kernel, places);
}

UpdatingConverter::Rows UpdatingConverter::copy(BackpropOp op, Value matrix) {
  const Rows made = makeRows(numRows(matrix), numCols(matrix));
  copyRows(
      op,
      {arena.getOffset(matrix), made.rows, made.columns, getRowStride(matrix)},
      made.place, made.stride, /*adds=*/false);
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
        made.place + term.weights, made.stride, /*adds=*/false);
  }
  if (hasOnes)
    fill(op, {made.place + width, made.rows, 1, made.stride}, 1);
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
  const Rows y = copy(op, op.getOutputDeriv());
  precondition(op, 0, x);
  precondition(op, 1, y);
  const int64_t width = affine.getWeightColumns();
  x.columns = width;
  addRowProduct(op, y, x,
                {getGradient(op, affine.getWeightsName(), y.columns, width),
                 y.columns, width, width});
  if (hasBias)
    addRowProduct(
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
  fill(op, gradient, 0);
  for (int64_t block = 0; block < affine.getNumBlocks(); ++block) {
    const Rows y = {arena.getOffset(deriv) + block * outputs, numRows(deriv),
                    outputs, getRowStride(deriv)};
    for (const AffineTerm &term : affine.getTerms(block)) {
      const TimeRows &rows = times[term.time];
      addRowProduct(op, y,
                    {arena.getOffset(input) + rows.first * getRowStride(input) +
                         term.input,
                     y.rows, term.columns, rows.step * getRowStride(input)},
                    {gradient.place + term.weights, outputs, term.columns,
                     gradient.stride});
    }
  }
  addColumns(op,
             {arena.getOffset(deriv), numRows(deriv),
              affine.getNumBlocks() * outputs, getRowStride(deriv)},
             outputs, bias.place, /*adds=*/false);
  copyRows(op, {bias.place, outputs, 1, 1}, gradient.place + width,
           gradient.stride, /*adds=*/false);
  precondition(op, 0, gradient);
  if (isa<TimeHeightConvolutionOp>(affine.getOperation()))
    precondition(op, 1, gradient, /*isTransposed=*/true);
  copyRows(op, {gradient.place, outputs, width, gradient.stride},
           getGradient(op, affine.getWeightsName(), outputs, width), width,
           /*adds=*/true);
  copyRows(op, {gradient.place + width, outputs, 1, gradient.stride},
           getGradient(op, affine.getBiasName(), 1, outputs), 1,
           /*adds=*/true);
}

void UpdatingConverter::updateFromSums(BackpropOp op,
                                       BackwardKernelInterface component) {
  const int64_t columns = component.getSumColumns(0);
  const SmallVector<StringRef> names = component.getSums();
  Rows sums = makeRows(names.size(), columns);
  SmallVector<unsigned> numbers;
  SmallVector<int64_t> dests;
  for (size_t i = 0; i < names.size(); ++i) {
    numbers.push_back(i);
    dests.push_back(sums.place + i * sums.stride);
  }
  addSums(op, component, numbers, dests, /*adds=*/false);
  precondition(op, 0, sums);
  copyRows(op, sums, getGradient(op, names[0], names.size(), columns), columns,
           /*adds=*/true);
}

/// All blocks of the derivative's rows are derivatives of the offsets.
void UpdatingConverter::updateFromOffsets(BackpropOp op, int64_t number,
                                          StringRef parameter,
                                          int64_t columns) {
  const Value deriv = op.getOutputDeriv();
  Rows blocks = {arena.getSize() + scratch,
                 numRows(deriv) * (numCols(deriv) / columns), columns, columns};
  scratch += align(blocks.rows * columns);
  copyRows(op,
           {arena.getOffset(deriv), numRows(deriv), numCols(deriv),
            getRowStride(deriv)},
           blocks.place, numCols(deriv), /*adds=*/false);
  precondition(op, number, blocks);
  addColumns(op, blocks, columns, getGradient(op, parameter, 1, columns),
             /*adds=*/true);
}

void UpdatingConverter::updateFromScales(BackpropOp op,
                                         BackwardKernelInterface component) {
  const int64_t columns = component.getSumColumns(0);
  const Rows terms = makeRows(numRows(op.getOutputDeriv()), columns);
  storeTerms(op, component, terms);
  precondition(op, 0, terms);
  addColumns(op, terms, columns, getGradient(op, "scales", 1, columns),
             /*adds=*/true);
  scratch = 0;
  if (isa<ScaleAndOffsetOp>(component.getOperation()))
    updateFromOffsets(op, 1, "offsets", columns);
}

//===----------------------------------------------------------------------===//
// Commands
//===----------------------------------------------------------------------===//

bool UpdatingConverter::updates(BackpropOp op) {
  return op != done && TrainingConverter::updates(op);
}

void UpdatingConverter::convertMarker(NoOperationMarkerOp op) {
  add(op, StepKernel(), {});
}

LogicalResult UpdatingConverter::convertUnknown(Operation *op) {
  auto backprop = dyn_cast<BackpropOp>(op);
  if (!backprop || !updates(backprop))
    return TrainingConverter::convertUnknown(op);
  if (backprop.getComponent().getNestedReferences().size() > 1)
    return op->emitOpError("has no update for devices: part of component '")
           << backprop.getComponent().getNestedReferences()[0].getValue()
           << "'";
  Operation *component = components.find(backprop.getComponent());
  auto row = dyn_cast<BackwardKernelInterface>(component);
  const bool hasSums = row && row.hasBackwardKernel();
  AffineKernelInterface affine = getAffine(component);
  const Preconditioning kind = getPreconditioning(component);
  scratch = 0;
  if (kind == Preconditioning::None)
    return TrainingConverter::convertUnknown(op);
  if (kind == Preconditioning::Rows && affine)
    updateFromRows(backprop, affine);
  else if (kind == Preconditioning::Products && affine)
    updateFromProducts(backprop, affine);
  else if (kind == Preconditioning::Sums && hasSums)
    updateFromSums(backprop, row);
  else if (kind == Preconditioning::Scales && hasSums)
    updateFromScales(backprop, row);
  else if (kind == Preconditioning::Offsets && hasSums)
    updateFromOffsets(backprop, 0, row.getSums()[0], row.getSumColumns(0));
  else
    return op->emitOpError("has no natural gradient for devices: component '")
           << backprop.getComponent().getLeafReference().getValue() << "'";
  done = op;
  return TrainingConverter::convertUnknown(op);
}
