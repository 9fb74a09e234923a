//===- RowBackward.cpp - Backward passes of rows --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BackwardConverter.h"
#include "UpdateConverter.h"

#include "nnet3/Arithmetic/PrecomputedRows.h"
#include "nnet3/Dialect/Nnet3/IR/MatrixLayout.h"

using namespace mlir;
using namespace mlir::nnet3;

namespace {
/// For each output row the range of its input rows, and for each input row the
/// range of output rows that read it. The latter are consecutive, as both are
/// sorted by time.
struct Ranges {
  explicit Ranges(BackpropOp op);
  SmallVector<int64_t> begins, ends, firsts, lasts;
};
} // namespace

/// The precomputed ranges are those of one sequence or of all sequences.
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

void BackwardConverter::addGradients(BackpropOp op,
                                     BackwardKernelInterface component) {
  const SmallVector<StringRef> names = component.getSums();
  if (names.empty())
    return;
  const int64_t columns = component.getSumColumns();
  SmallVector<int64_t> dests;
  SmallVector<ArenaRows> parts;
  for (auto [number, name] : llvm::enumerate(names)) {
    const int64_t row = llvm::count(ArrayRef(names).take_front(number), name);
    dests.push_back(
        builder.getGradient(op, name, llvm::count(names, name), columns) +
        row * columns);
    parts.push_back({dests.back(), 1, columns, columns});
  }
  builder.addSums(op, component, dests, builder.addsTo(parts));
}

/// Stores the factors at the start of the arena, one row per output row.
void BackwardConverter::addFactors(BackpropOp op,
                                   BackwardKernelInterface component,
                                   bool addsGradient) {
  const int64_t columns = component.getFactorColumns();
  const int64_t rows = numRows(op.getOutputDeriv());
  RowOperands operands = builder.createOperands(op, component);
  if (component.getFactorReads() == RowReads::Range && op.getInputValue()) {
    const Ranges ranges(op);
    const Value input = op.getInputValue();
    operands.input = context.createRanges(
        [&] { return context.arena.getOffset(input); }, getRowStride(input),
        numCols(input), ranges.begins, ranges.ends);
  }
  operands.stored = context.kernels.createRows(0, rows, columns, columns);
  context.mapRows(operands, /*parts=*/1,
                  [&](RowEmission &row) { component.emitFactors(row); });
  if (!isa<FactorKernelInterface>(component.getOperation()))
    return;
  auto affine = cast<AffineKernelInterface>(component.getOperation());
  const int64_t outputs = affine.getWeightRows(),
                inputs = affine.getWeightColumns();
  if (addsGradient) {
    ArenaRows y = {0, rows, outputs, columns},
              x = {outputs, rows, inputs, columns};
    if (updates)
      updates->preconditionFactors(op, y, x);
    const ArenaRows dest = {
        builder.getGradient(op, affine.getWeightsName(), outputs, inputs),
        outputs, inputs, inputs};
    builder.addRowProduct(y, x, dest, builder.addsTo(dest));
  }
  if (!op.getInputDeriv())
    return;
  const int64_t weights = context.module.weights.getMatrix(
      context.components.find(op.getComponent()), /*folded=*/{});
  context.kernels.createMatmul(
      kernel::MatmulFactors::NN,
      context.kernels.createWeights(weights, outputs, inputs, inputs),
      context.kernels.createBatch({0, rows, columns}, outputs),
      context.kernels.createBatch({outputs + inputs, rows, columns}, inputs),
      /*beta=*/0);
}

/// Creates the operands of a row of the input derivative.
RowOperands
BackwardConverter::createRowOperands(BackpropOp op,
                                     BackwardKernelInterface component) {
  const Value deriv = op.getOutputDeriv();
  const int64_t columns = component.getFactorColumns();
  RowOperands operands = builder.createOperands(op, component);
  if (component.getDerivativeReads() == RowReads::One) {
    if (columns > 0)
      operands.factors =
          context.kernels.createRows(0, numRows(deriv), columns, columns);
    return operands;
  }
  operands.output = operands.derivative = Value();
  const Ranges ranges(op);
  if (columns > 0)
    operands.factors = context.createRanges([] { return 0; }, columns, columns,
                                            ranges.firsts, ranges.lasts);
  else
    operands.derivative = context.createRanges(
        [&] { return context.arena.getOffset(deriv); }, getRowStride(deriv),
        numCols(deriv), ranges.firsts, ranges.lasts);
  return operands;
}

/// Emits the reductions first, as the rows may overwrite their operands.
void BackwardConverter::convertRow(BackpropOp op,
                                   BackwardKernelInterface component,
                                   bool addsGradient) {
  const Value inDeriv = op.getInputDeriv();
  if (addsGradient)
    addGradients(op, component);
  if (component.getFactorColumns() > 0)
    addFactors(op, component, addsGradient);
  if (!inDeriv || (component.isBackwardIdentity() && isInPlace(op)) ||
      convertFromSigns(context, op, component, addsToInputDerivative(op)))
    return;
  if (!component.hasInputDerivative()) {
    if (!addsToInputDerivative(op) && numRows(inDeriv) > 0)
      context.kernels.createFill(context.createMatrix(inDeriv), 0);
    return;
  }
  RowOperands operands = createRowOperands(op, component);
  operands.adds = addsToInputDerivative(op);
  const SmallVector<int64_t> numbers =
      component.getRowNumbers(op.getPrecomputedAttr(), numRows(inDeriv));
  if (!numbers.empty())
    operands.rowNumbers = context.kernels.createRowIndexes(
        context.module.tables.add(numbers), numbers.size());
  stages.addIndexes(operands, component.getBackwardIndexes());
  context.mapRows(operands, component.getNumBackwardParts(),
                  [&](RowEmission &row) { component.emitBackwardRow(row); });
}

/// Each block of an input row gets the derivative of the output row that is its
/// copy, or none (spec: components.md 6.45). The precomputed tables are those
/// of one sequence; the rows of all sequences are adjacent.
void BackwardConverter::convertDistribute(BackpropOp op) {
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
        context.arena.getOffset(deriv) + row * getRowStride(deriv);
  }
  for (size_t i = 0; i < from.size(); ++i)
    to.push_back(context.arena.getOffset(inDeriv) +
                 i / numBlocks * getRowStride(inDeriv) + i % numBlocks * dim);
  // Blocks of contiguous rows are adjacent.
  const bool isDense = getRowStride(inDeriv) == numBlocks * dim;
  Value source = context.kernels.createRows(context.module.tables.add(from),
                                            from.size(), dim,
                                            /*stride=*/std::nullopt);
  Value dest = isDense
                   ? context.kernels.createRows(to[0], from.size(), dim, dim)
                   : context.kernels.createRows(context.module.tables.add(to),
                                                from.size(), dim,
                                                /*stride=*/std::nullopt);
  context.kernels.createCopy(source, dest, /*alpha=*/1,
                             addsToInputDerivative(op));
}
