//===- RowBackward.cpp - Backward passes of rows --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TrainingConverter.h"

#include "nnet3/Arithmetic/ColumnSums.h"
#include "nnet3/Arithmetic/PrecomputedRows.h"
#include "nnet3/Dialect/Nnet3/IR/MatrixLayout.h"

using namespace mlir;
using namespace mlir::nnet3;

//===----------------------------------------------------------------------===//
// Sums over rows
//===----------------------------------------------------------------------===//

void TrainingConverter::addSums(
    const RowOperands &operands, int64_t width, int64_t blocks,
    ArrayRef<int64_t> dests, bool adds,
    function_ref<SmallVector<Value>(RowEmission &, Value)> terms) {
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

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

namespace {
/// The rows of the input that each row of the output is of, and the rows of the
/// output that each row of the input is in, which follow each other, as both
/// are sorted by time.
struct Ranges {
  explicit Ranges(BackpropOp op);
  SmallVector<int64_t> begins, ends, firsts, lasts;
};
} // namespace

/// What is precomputed is of one sequence or of all.
Ranges::Ranges(BackpropOp op)
    : begins(getPrecomputedRows(op.getPrecomputedAttr(), "begins")),
      ends(getPrecomputedRows(op.getPrecomputedAttr(), "ends")) {
  Value ofInput = op.getInputDeriv() ? op.getInputDeriv() : op.getInputValue();
  const int64_t inputs = numRows(ofInput),
                outputs = numRows(op.getOutputDeriv());
  const int64_t perSequence = begins.size();
  const int64_t between = inputs / (outputs / perSequence);
  for (int64_t i = perSequence; i < outputs; ++i) {
    begins.push_back(begins[i - perSequence] + between);
    ends.push_back(ends[i - perSequence] + between);
  }
  firsts.resize(inputs, outputs);
  lasts.resize(inputs, 0);
  for (int64_t i = 0; i < outputs; ++i)
    for (int64_t row = begins[i]; row < ends[i]; ++row) {
      firsts[row] = std::min(firsts[row], i);
      lasts[row] = i + 1;
    }
}

/// What self-repair adds, if anything.
Value TrainingConverter::createRepairs(Operation *component) {
  auto place = getRepairs(component);
  return place ? createFloats(
                     *place,
                     cast<StatisticsKernelInterface>(component).getNumRepairs())
               : Value();
}

SmallVector<Value>
TrainingConverter::createVectors(ComponentOpInterface component,
                                 BackwardKernelInterface backward) {
  auto blocks = dyn_cast<BlockKernelInterface>(component.getOperation());
  const int64_t columns =
      blocks ? blocks.getBlockColumns() : component.getComponentOutputDim();
  return CommandConverter::createVectors(
      component, backward.getNumBackwardVectors(), columns);
}

RowOperands
TrainingConverter::createOperands(BackpropOp op,
                                  BackwardKernelInterface backward) {
  ComponentOpInterface component = components.find(op.getComponent());
  RowOperands operands = createMatrices(op);
  operands.repairs = createRepairs(component);
  operands.vectors = createVectors(component, backward);
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

/// At the beginning of the arena, a row for each of the output.
void TrainingConverter::addFactors(BackpropOp op,
                                   BackwardKernelInterface component) {
  const int64_t columns = component.getFactorColumns();
  const int64_t rows = numRows(op.getOutputDeriv());
  RowOperands operands = createOperands(op, component);
  if (component.getFactorReads() == RowReads::Range && op.getInputValue()) {
    const Ranges ranges(op);
    const Value input = op.getInputValue();
    operands.input = createRanges(arena.getOffset(input), getRowStride(input),
                                  numCols(input), ranges.begins, ranges.ends);
  }
  operands.stored = kernels.createRows(0, rows, columns, columns);
  mapRows(operands, /*parts=*/1,
          [&](RowEmission &row) { component.emitFactors(row); });
  if (!isa<FactorKernelInterface>(component.getOperation()))
    return;
  auto affine = cast<AffineKernelInterface>(component.getOperation());
  const int64_t outputs = affine.getWeightRows(),
                inputs = affine.getWeightColumns();
  if (updates(op))
    addFactorGradient(op, affine, {0, rows, outputs, columns},
                      {outputs, rows, inputs, columns});
  if (!op.getInputDeriv())
    return;
  const int64_t weights = module.weights.getMatrix(
      components.find(op.getComponent()), /*folded=*/{});
  kernels.createMatmul(
      kernel::MatmulFactors::NN,
      kernels.createWeights(weights, outputs, inputs, inputs),
      kernels.createBatch({0, rows, columns}, outputs),
      kernels.createBatch({outputs + inputs, rows, columns}, inputs),
      /*beta=*/0);
}

void TrainingConverter::addFactorGradient(BackpropOp op,
                                          AffineKernelInterface affine,
                                          const Rows &y, const Rows &x) {
  const Rows dest = {
      getGradient(op, affine.getWeightsName(), y.columns, x.columns), y.columns,
      x.columns, x.columns};
  addRowProduct(y, x, dest, addsTo(dest));
}

/// What a row of the derivative of the input is computed from.
RowOperands
TrainingConverter::createRowOperands(BackpropOp op,
                                     BackwardKernelInterface component) {
  const Value deriv = op.getOutputDeriv();
  const int64_t columns = component.getFactorColumns();
  RowOperands operands = createOperands(op, component);
  if (component.getDerivativeReads() == RowReads::One) {
    if (columns > 0)
      operands.factors =
          kernels.createRows(0, numRows(deriv), columns, columns);
    return operands;
  }
  operands.output = operands.derivative = Value();
  const Ranges ranges(op);
  if (columns > 0)
    operands.factors =
        createRanges(0, columns, columns, ranges.firsts, ranges.lasts);
  else
    operands.derivative =
        createRanges(arena.getOffset(deriv), getRowStride(deriv),
                     numCols(deriv), ranges.firsts, ranges.lasts);
  return operands;
}

void TrainingConverter::mapRows(const RowOperands &operands, int64_t parts,
                                function_ref<void(RowEmission &)> body) {
  RowEmission::mapRows(kernels.getBuilder(), kernels.getLoc(), operands, parts,
                       body);
}

/// The sums come first: the rows may be written over what they are of.
void TrainingConverter::convertRowBackward(BackpropOp op,
                                           BackwardKernelInterface component) {
  const Value inDeriv = op.getInputDeriv();
  if (updates(op))
    addGradients(op, component);
  if (component.getFactorColumns() > 0)
    addFactors(op, component);
  if (!inDeriv)
    return;
  if (!component.hasInputDerivative()) {
    if (!addsToInputDerivative(op) && numRows(inDeriv) > 0)
      kernels.createFill(createMatrix(inDeriv), 0);
    return;
  }
  RowOperands operands = createRowOperands(op, component);
  operands.adds = addsToInputDerivative(op);
  const SmallVector<int64_t> numbers =
      component.getRowNumbers(op.getPrecomputedAttr(), numRows(inDeriv));
  if (!numbers.empty())
    operands.rowNumbers =
        kernels.createRowIndexes(module.tables.add(numbers), numbers.size());
  addIndexes(operands, component.getBackwardIndexes());
  mapRows(operands, component.getNumBackwardParts(),
          [&](RowEmission &row) { component.emitBackwardRow(row); });
}

/// Each block of a row of the input gets the derivative of the row of the
/// output that it becomes, or none (spec: components.md 6.45). What is
/// precomputed is that of one sequence; the rows of all sequences lie next to
/// each other.
void TrainingConverter::convertDistributeBackward(BackpropOp op) {
  const Value deriv = op.getOutputDeriv(), inDeriv = op.getInputDeriv();
  if (!inDeriv)
    return;
  const int64_t dim = numCols(deriv), numBlocks = numCols(inDeriv) / dim;
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
  // Blocks of dense rows lie one behind the other.
  const bool isDense = getRowStride(inDeriv) == numBlocks * dim;
  Value source = kernels.createRows(module.tables.add(from), from.size(), dim,
                                    /*stride=*/std::nullopt);
  Value dest = isDense ? kernels.createRows(to[0], from.size(), dim, dim)
                       : kernels.createRows(module.tables.add(to), from.size(),
                                            dim, /*stride=*/std::nullopt);
  kernels.createCopy(source, dest, /*alpha=*/1, addsToInputDerivative(op));
}
