//===- UpdateConverter.cpp - Training steps on a device -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "UpdateConverter.h"
#include "TimeRows.h"

#include "nnet3/Arithmetic/Preconditioning.h"
#include "nnet3/Dialect/Nnet3/IR/ComponentParts.h"
#include "nnet3/Dialect/Nnet3/IR/MatrixLayout.h"
#include "nnet3/Dialect/Nnet3/IR/NetworkOps.h"
#include "nnet3/runtime/PreferredMatmul.h"

using namespace mlir;
using namespace mlir::nnet3;

/// Aligns to a cache line of the device, in floats.
static int64_t align(int64_t floats) { return llvm::alignTo(floats, 64); }

/// Rows of factors are aligned to 16 bytes.
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

/// Row stride of the terms of a reduction; rows of several blocks are
/// contiguous.
static int64_t getTermStride(BackwardKernelInterface component) {
  const int64_t columns = component.getSumColumns();
  return component.getSumBlocks() == 1 ? alignStride(columns) : columns;
}

namespace {
/// The factor of a gradient Y^T X that is preconditioned without forming the
/// preconditioned rows: Y or X, or none if the rank is 0.
struct ProductFactor {
  int64_t rank = 0;
  bool isY = false;
};
} // namespace

/// On a CPU, a factor with far more columns than the other one. Processes that
/// share a minibatch may have different numbers of rows, but must choose alike:
/// they count as many rows as columns.
static ProductFactor getProductFactor(BackpropOp op,
                                      AffineKernelInterface affine,
                                      const KernelModule &module) {
  const int64_t columns[] = {affine.getWeightColumns() +
                                 (affine.getBiasName() ? 1 : 0),
                             affine.getWeightRows()};
  const auto [rankOfX, rankOfY] = getPreconditioningRanks(affine);
  for (bool isY : {false, true})
    if (!module.threads &&
        ::nnet3::rt::prefersMatmul(
            columns[isY], columns[!isY],
            module.isShared ? columns[isY] : numRows(op.getOutputDeriv())))
      return {std::min(isY ? rankOfY : rankOfX, columns[isY] - 1), isY};
  return {};
}

/// Returns the rows of the input as groups of columns, relative to its offset;
/// nothing if they are not regular, or the bias needs a column of ones.
static std::optional<ColumnGroups>
getInputGroups(BackpropOp op, AffineKernelInterface affine) {
  if (affine.getBiasName())
    return std::nullopt;
  const int64_t stride = getRowStride(op.getInputValue());
  const SmallVector<TimeRows> times = getTimeRows(op);
  ColumnGroups groups;
  for (const AffineTerm &term : affine.getTerms(/*block=*/0)) {
    const TimeRows &rows = times[term.time];
    const ArenaRows part = {rows.first * stride + term.input,
                            numRows(op.getOutputDeriv()), term.columns,
                            rows.step * stride};
    if (groups.count == 0)
      groups.first = part;
    else if (groups.count == 1)
      groups.distance = part.place - groups.first.place;
    ArenaRows expected = groups.get(groups.count);
    if (groups.distance < 0 || part.place != expected.place ||
        part.columns != expected.columns || part.stride != expected.stride ||
        term.weights != groups.count * part.columns)
      return std::nullopt;
    ++groups.count;
  }
  return groups;
}

/// Size in floats of the scratch buffer for preconditioning a command.
static int64_t getScratchSize(BackpropOp op, Operation *component,
                              const KernelModule &module) {
  const int64_t rows = numRows(op.getOutputDeriv());
  auto size = [](int64_t rows, int64_t columns) {
    return align(rows * alignStride(columns));
  };
  auto affine = dyn_cast<AffineKernelInterface>(component);
  auto sums = dyn_cast<BackwardKernelInterface>(component);
  switch (getPreconditioning(component)) {
  case Preconditioning::None:
    return 0;
  case Preconditioning::Rows: {
    const ProductFactor factor = getProductFactor(op, affine, module);
    const bool copiesY = !factor.rank || !factor.isY;
    const bool copiesX =
        !factor.rank || factor.isY || !getInputGroups(op, affine);
    return size(copiesX ? rows : 0, affine.getWeightColumns() + 1) +
           size(copiesY ? rows : 0, affine.getWeightRows()) +
           size(factor.rank, affine.getWeightColumns() + 1) +
           size(factor.rank, affine.getWeightRows());
  }
  case Preconditioning::Products:
  case Preconditioning::BothSides:
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

/// Largest size over all commands.
static int64_t getScratchSize(CommandContext &context) {
  int64_t size = 0;
  for (auto op : context.computation.getBody().getOps<BackpropOp>())
    size = std::max(
        size, getScratchSize(op, context.components.find(op.getComponent()),
                             context.module));
  return size;
}

UpdateConverter::UpdateConverter(CommandContext &context,
                                 BackwardBuilder &builder)
    : context(context), builder(builder), place(context.getArenaSize()),
      scratchSize(getScratchSize(context)) {
  context.sizeBehind += scratchSize;
  addParameters();
}

/// Returns the offset of a parameter. Weights and biases of affine components
/// are those that matmuls read; other parameters are stored unpacked.
int64_t UpdateConverter::getParameter(ComponentOpInterface component,
                                      const TensorSpec &spec) {
  if (AffineKernelInterface affine = getAffine(component)) {
    if (affine.getWeightsName() == spec.name)
      return context.module.weights.getMatrix(component, /*folded=*/{});
    if (affine.getBiasName() == spec.name)
      return context.module.weights.getBias(component, /*folded=*/{});
  }
  return context.module.weights.getParameter(
      component, spec.name, ShapedType::getNumElements(spec.shape));
}

void UpdateConverter::addParameters(ComponentOpInterface component,
                                    StringAttr whole, StringRef prefix) {
  if (!has(component.getComponentProperties(), ComponentProperties::Updatable))
    return;
  for (const TensorSpec &spec : component.getTensors()) {
    if (!spec.isParameter || !component->hasAttr(spec.name))
      continue;
    parameters.push_back(kernel::ParameterAttr::get(
        whole.getContext(), whole,
        StringAttr::get(whole.getContext(), prefix + spec.name),
        getParameter(component, spec), ShapedType::getNumElements(spec.shape)));
  }
}

void UpdateConverter::addParameters() {
  auto network = SymbolTable::lookupNearestSymbolFrom<NetworkOp>(
      context.computation->getParentOp(), context.computation.getNetworkAttr());
  for (auto whole : network.getBody().front().getOps<ComponentOpInterface>())
    forEachPart(whole, [&](ComponentOpInterface part, StringRef prefix) {
      addParameters(part, SymbolTable::getSymbolName(whole), prefix);
    });
}

ArrayAttr UpdateConverter::getParameters() const {
  return ArrayAttr::get(context.computation->getContext(), parameters);
}

//===----------------------------------------------------------------------===//
// Pieces
//===----------------------------------------------------------------------===//

ArenaRows UpdateConverter::makeRows(int64_t rows, int64_t columns) {
  return makeRows(rows, columns, alignStride(columns));
}

ArenaRows UpdateConverter::makeRows(int64_t rows, int64_t columns,
                                    int64_t stride) {
  const ArenaRows made = {place + scratch, rows, columns, stride};
  scratch += align(rows * stride);
  assert(scratch <= scratchSize && "more than was counted");
  return made;
}

void UpdateConverter::precondition(BackpropOp op, int64_t number,
                                   const ArenaRows &rows, bool isTwoSided) {
  auto part = getPartNumber(context.components.find(op.getComponent()));
  OpBuilder &b = context.kernels.getBuilder();
  kernel::PreconditionOp::create(
      b, op.getLoc(), context.kernels.createRows(rows),
      op.getComponent().getNestedReferences()[0].getAttr(),
      b.getI64IntegerAttr(number),
      part ? b.getI64IntegerAttr(*part) : IntegerAttr(),
      isTwoSided ? b.getUnitAttr() : UnitAttr());
}

std::pair<ArenaRows, ArenaRows>
UpdateConverter::preconditionProduct(BackpropOp op, int64_t number,
                                     const ColumnGroups &rows,
                                     const ArenaRows &others, int64_t rank) {
  const int64_t columns = rows.count * rows.first.columns;
  const ArenaRows basis = makeRows(rank, columns, columns);
  const ArenaRows sums = makeRows(rank, others.columns, others.columns);
  auto part = getPartNumber(context.components.find(op.getComponent()));
  OpBuilder &b = context.kernels.getBuilder();
  Value view = rows.count == 1
                   ? context.kernels.createRows(rows.first)
                   : context.kernels.createRowGroups(
                         rows.first.place, rows.first.rows, rows.first.stride,
                         rows.count, rows.distance, rows.first.columns);
  kernel::PreconditionProductOp::create(
      b, op.getLoc(), view, context.kernels.createRows(others),
      context.kernels.createRows(basis), context.kernels.createRows(sums),
      op.getComponent().getNestedReferences()[0].getAttr(),
      b.getI64IntegerAttr(number),
      part ? b.getI64IntegerAttr(*part) : IntegerAttr());
  return {basis, sums};
}

void UpdateConverter::copyRows(const ArenaRows &from, int64_t dest,
                               int64_t stride, bool adds) {
  context.kernels.createCopy(
      context.kernels.createRows(from),
      context.kernels.createRows(dest, from.rows, from.columns, stride),
      /*alpha=*/1, adds);
}

ArenaRows UpdateConverter::storeTerms(BackpropOp op,
                                      BackwardKernelInterface component,
                                      unsigned sum) {
  const int64_t columns = component.getSumColumns(),
                blocks = component.getSumBlocks();
  const int64_t rows = numRows(op.getOutputDeriv());
  const ArenaRows terms =
      makeRows(rows * blocks, columns, getTermStride(component));
  RowOperands operands = builder.createOperands(op, component);
  operands.stored = context.kernels.createRows(
      terms.place, rows, columns * blocks, terms.stride * blocks);
  context.mapRows(operands, /*parts=*/1, [&](RowEmission &row) {
    row.forEach(columns * blocks, [&](Value column) {
      row.store(component.emitSums(row, column)[sum], column);
    });
  });
  return terms;
}

ArenaRows UpdateConverter::copy(const ArenaRows &rows) {
  const ArenaRows made = makeRows(rows.rows, rows.columns);
  copyRows(rows, made.place, made.stride);
  return made;
}

/// Returns the rows [X_1 X_2 ... 1]; the column of ones is for a bias.
ArenaRows UpdateConverter::gatherInput(BackpropOp op,
                                       AffineKernelInterface affine,
                                       bool hasOnes) {
  const Value input = op.getInputValue();
  const int64_t width = affine.getWeightColumns();
  const ArenaRows made =
      makeRows(numRows(op.getOutputDeriv()), width + hasOnes);
  const SmallVector<TimeRows> times = getTimeRows(op);
  for (const AffineTerm &term : affine.getTerms(/*block=*/0)) {
    const TimeRows &rows = times[term.time];
    copyRows({context.arena.getOffset(input) +
                  rows.first * getRowStride(input) + term.input,
              made.rows, term.columns, rows.step * getRowStride(input)},
             made.place + term.weights, made.stride);
  }
  if (hasOnes)
    context.kernels.createFill({made.place + width, made.rows, 1, made.stride},
                               1);
  return made;
}

//===----------------------------------------------------------------------===//
// Preconditioned gradients
//===----------------------------------------------------------------------===//

/// Treats the bias as weights of an input column of ones.
void UpdateConverter::updateFromRows(BackpropOp op,
                                     AffineKernelInterface affine) {
  const bool hasBias = bool(affine.getBiasName());
  const ProductFactor factor = getProductFactor(op, affine, context.module);
  const bool keepsX = factor.rank && !factor.isY,
             keepsY = factor.rank && factor.isY;
  const Value deriv = op.getOutputDeriv();
  ArenaRows y = {context.arena.getOffset(deriv), numRows(deriv), numCols(deriv),
                 getRowStride(deriv)};
  std::optional<ColumnGroups> x =
      keepsX ? getInputGroups(op, affine) : std::nullopt;
  if (x)
    x->first.place += context.arena.getOffset(op.getInputValue());
  else
    x = {gatherInput(op, affine, hasBias), /*count=*/1};
  if (!keepsY)
    y = copy(y);
  if (!keepsX)
    precondition(op, 0, x->first);
  if (!keepsY)
    precondition(op, 1, y);
  const int64_t width = affine.getWeightColumns();
  const ArenaRows weights = {
      builder.getGradient(op, affine.getWeightsName(), y.columns, width),
      y.columns, width, width};
  ArenaRows bias = {0, y.columns, 1, 1};
  if (hasBias)
    bias.place = builder.getGradient(op, affine.getBiasName(), 1, y.columns);
  auto add = [&](const ArenaRows &outputs, const ColumnGroups &inputs) {
    const int64_t columns = width / inputs.count;
    for (int64_t i = 0; i < inputs.count; ++i) {
      const ArenaRows part = inputs.get(i);
      addToGradient(outputs, {part.place, part.rows, columns, part.stride},
                    {weights.place + i * columns, y.columns, columns, width});
    }
    const ArenaRows &first = inputs.first;
    if (hasBias)
      addToGradient(outputs, {first.place + width, first.rows, 1, first.stride},
                    bias);
  };
  if (!keepsX && !keepsY)
    return add(y, *x);
  auto [basis, sums] = preconditionProduct(op, /*number=*/keepsY,
                                           keepsY ? ColumnGroups{y, 1} : *x,
                                           keepsY ? x->first : y, factor.rank);
  add(y, *x);
  add(keepsY ? basis : sums, {keepsY ? sums : basis, /*count=*/1});
}

/// Computes the gradient [dW db] over all blocks and preconditions its rows,
/// and for convolutions also its columns.
void UpdateConverter::updateFromProducts(BackpropOp op,
                                         AffineKernelInterface affine) {
  const Value deriv = op.getOutputDeriv(), input = op.getInputValue();
  const int64_t outputs = affine.getWeightRows(),
                width = affine.getWeightColumns();
  const ArenaRows gradient = makeRows(outputs, width + 1);
  const ArenaRows bias = makeRows(1, outputs);
  const SmallVector<TimeRows> times = getTimeRows(op);
  // The first matmul of each column writes it; that of the bias is copied.
  WrittenParts written(outputs, width + 1);
  written.write({0, outputs, width, 1});
  struct Term {
    ArenaRows y, x, part;
    bool adds;
  };
  SmallVector<Term> sum;
  for (int64_t block = 0; block < affine.getNumBlocks(); ++block) {
    const ArenaRows y = {context.arena.getOffset(deriv) + block * outputs,
                         numRows(deriv), outputs, getRowStride(deriv)};
    for (const AffineTerm &term : affine.getTerms(block)) {
      const TimeRows &rows = times[term.time];
      const ArenaRows x = {context.arena.getOffset(input) +
                               rows.first * getRowStride(input) + term.input,
                           y.rows, term.columns,
                           rows.step * getRowStride(input)};
      const ArenaRows part = {gradient.place + term.weights, outputs,
                              term.columns, gradient.stride};
      sum.push_back(
          {y, x, part, !written.put({0, outputs, term.weights, term.columns})});
    }
  }
  if (!written.getZeros().empty())
    context.kernels.createFill(gradient, 0);
  for (const Term &term : sum)
    builder.addRowProduct(term.y, term.x, term.part, term.adds);
  builder.addColumns({context.arena.getOffset(deriv), numRows(deriv),
                      affine.getNumBlocks() * outputs, getRowStride(deriv)},
                     outputs, bias.place, /*adds=*/false);
  copyRows({bias.place, outputs, 1, 1}, gradient.place + width,
           gradient.stride);
  precondition(op, 0, gradient,
               /*isTwoSided=*/getPreconditioning(affine) ==
                   Preconditioning::BothSides);
  addToGradient(
      {gradient.place, outputs, width, gradient.stride},
      {builder.getGradient(op, affine.getWeightsName(), outputs, width),
       outputs, width, width});
  addToGradient({gradient.place + width, outputs, 1, gradient.stride},
                {builder.getGradient(op, affine.getBiasName(), 1, outputs),
                 outputs, 1, 1});
}

void UpdateConverter::updateFromSums(BackpropOp op,
                                     BackwardKernelInterface component) {
  const int64_t columns = component.getSumColumns();
  const SmallVector<StringRef> names = component.getSums();
  ArenaRows sums = makeRows(names.size(), columns);
  SmallVector<int64_t> dests;
  for (size_t i = 0; i < names.size(); ++i)
    dests.push_back(sums.place + i * sums.stride);
  builder.addSums(op, component, dests, /*adds=*/false);
  precondition(op, 0, sums);
  addToGradient(sums, {builder.getGradient(op, names[0], names.size(), columns),
                       sums.rows, columns, columns});
}

/// Each reduction has a preconditioner, whose rows are the terms.
void UpdateConverter::updateFromTerms(BackpropOp op,
                                      BackwardKernelInterface component) {
  for (auto [i, name] : llvm::enumerate(component.getSums())) {
    scratch = 0;
    const ArenaRows terms = storeTerms(op, component, i);
    precondition(op, i, terms);
    const ArenaRows part = {builder.getGradient(op, name, 1, terms.columns), 1,
                            terms.columns, terms.columns};
    builder.addColumns(terms, terms.columns, part.place, builder.addsTo(part));
  }
}

void UpdateConverter::preconditionFactors(BackpropOp op, ArenaRows &y,
                                          ArenaRows &x) {
  scratch = 0;
  x = copy(x);
  y = copy(y);
  precondition(op, 0, x);
  precondition(op, 1, y);
}

bool UpdateConverter::addGradient(BackpropOp op) {
  Operation *component = context.components.find(op.getComponent());
  auto affine = dyn_cast<AffineKernelInterface>(component);
  auto row = dyn_cast<BackwardKernelInterface>(component);
  scratch = 0;
  switch (getPreconditioning(component)) {
  case Preconditioning::None:
  case Preconditioning::Factors:
    return false;
  case Preconditioning::Rows:
    updateFromRows(op, affine);
    return true;
  case Preconditioning::Products:
  case Preconditioning::BothSides:
    updateFromProducts(op, affine);
    return true;
  case Preconditioning::Sums:
    updateFromSums(op, row);
    return true;
  case Preconditioning::Terms:
    updateFromTerms(op, row);
    return true;
  }
  llvm_unreachable("unknown kind of preconditioning");
}
