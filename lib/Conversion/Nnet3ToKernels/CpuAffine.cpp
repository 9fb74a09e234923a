//===- CpuAffine.cpp - Affine commands as CPU matmuls ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CpuAffine.h"

#include "nnet3/Dialect/Nnet3/IR/MatrixLayout.h"
#include "nnet3/Dialect/Nnet3/IR/RowTableAlgebra.h"

using namespace mlir;
using namespace mlir::nnet3;

/// Matmuls with fewer output columns are faster in f32, since their rows need
/// no conversion; with fewer terms there is little to gain.
static constexpr int64_t kFewestReducedColumns = 16;
static constexpr int64_t kFewestReducedTerms = 16;
/// Largest number of int8 products whose sum fits 32 bits. The scales of int16
/// depend on the sums, but leave fewer bits with more terms.
static constexpr int64_t kMostReducedTerms = (int64_t(1) << 31) / (255 * 127);

/// Returns f32 if converting the rows would cost more than the matmul gains.
/// All matmuls with the same weights get the same precision, however many of
/// the columns they use.
static Precision getPrecision(AffineKernelInterface affine, Precision wanted) {
  const int64_t depth = affine.getWeightColumns();
  return affine.getWeightRows() < kFewestReducedColumns ||
                 depth < kFewestReducedTerms || depth > kMostReducedTerms
             ? Precision::F32
             : wanted;
}

Value CpuAffineConverter::createPanels(GemmShape &shape,
                                       ComponentOpInterface component,
                                       SymbolRefAttr folded,
                                       const WeightFormat &format) {
  PackedWeights &weights = context.module.weights;
  shape.target = context.module.target;
  shape.tile = weights.getTile(component, format);
  shape.shareOutRows();
  shape.isParallel = shape.getNumWholeTiles() > 1 &&
                     shape.getFlops() >= context.module.parallelFlops;
  const int64_t width = shape.tile.getPanelWidth(context.module.target);
  return context.kernels.createPanels(
      weights.getPanels(component, folded, format),
      llvm::divideCeil(shape.columns, width), shape.depth, width);
}

/// Adds input `number` of `op` to `shape` and creates a view of its rows; its
/// weights are the panel rows from `first` on.
Value CpuAffineConverter::createInput(FusedAffineOp op, unsigned number,
                                      int64_t first, GemmShape &shape) {
  Value input = op.getInputs()[number];
  auto rows = cast<RowTableAttr>(op.getRows()[number]);
  GemmInput part = {first, numCols(input), std::nullopt};
  int64_t place;
  if (auto progression = row_table::getProgression(rows.getCode())) {
    part.stride = progression->step * getRowStride(input);
    place = context.arena.getOffset(input) +
            progression->start * getRowStride(input);
  } else {
    place = context.getTable(rows, input, /*none=*/0);
  }
  shape.inputs.push_back(part);
  return context.kernels.createRows(place, shape.rows, part.depth, part.stride);
}

/// Adds the operands of matmuls that convert their rows.
void CpuAffineConverter::addReducedViews(FusedAffineOp op,
                                         const GemmShape &shape,
                                         ArrayRef<ColumnRange> used,
                                         GemmViews &views) {
  if (!convertsRows(shape.precision))
    return;
  const int64_t size = shape.getScratchSize();
  views.scratch = context.kernels.createScratch(context.getScratch(size), size);
  if (!hasIntegers(shape.precision))
    return;
  ComponentOpInterface component = context.components.find(op.getComponent());
  views.scales = context.kernels.createVector(
      context.module.weights.getScales(component, op.getFoldedAttr(),
                                       shape.precision),
      shape.columns);
  views.sums = context.kernels.createVector(
      context.module.weights.getSums(component, op.getFoldedAttr(),
                                     shape.precision, used),
      shape.columns);
}

void CpuAffineConverter::convert(FusedAffineOp op) {
  ComponentOpInterface component = context.components.find(op.getComponent());
  auto affine = cast<AffineKernelInterface>(component.getOperation());
  SmallVector<ColumnRange> used;
  for (auto [input, column] : llvm::zip_equal(op.getInputs(), op.getColumns()))
    used.push_back({column, numCols(input)});
  GemmShape shape;
  shape.rows = numRows(op.getOutput());
  shape.columns = numCols(op.getOutput());
  shape.precision =
      getPrecision(affine, context.module.precisions.lookup(component));
  auto format =
      WeightFormat::get(shape.precision, affine.getWeightColumns(), used);
  format.error = context.module.precisions.lookupError(component);
  shape.depth = format.getWords();
  GemmViews views;
  for (auto [i, column] : llvm::enumerate(op.getColumns()))
    views.inputs.push_back(createInput(op, i, format.getWord(column), shape));
  views.weights = createPanels(shape, component, op.getFoldedAttr(), format);
  if (op.getBias())
    views.bias = context.kernels.createVector(
        context.module.weights.getBias(component, op.getFoldedAttr()) +
            affine.getFirstBias(op.getColumns()[0]),
        shape.columns);
  views.epilogue = createStepVectors(op);
  views.output = context.createMatrix(op.getOutput());
  if (Value init = op.getInit())
    views.init = context.kernels.createRows(
        context.arena.getOffset(init), numRows(init), shape.columns,
        numRows(init) == 1 ? 0 : getRowStride(init));
  if (Value residual = op.getResidual())
    views.epilogue.push_back(context.createMatrix(residual));
  addReducedViews(op, shape, used, views);
  context.kernels.createGemm(shape, views, [&](ValueRange values) {
    return createEpilogue(context.kernels.getBuilder(), op, values.front(),
                          values.drop_front());
  });
}

void CpuAffineConverter::addProduct(PropagateOp op,
                                    AffineKernelInterface affine,
                                    int64_t numFactors, int64_t factors,
                                    RowSpan rows) {
  ComponentOpInterface component = context.components.find(op.getComponent());
  GemmShape shape;
  shape.rows = rows.count;
  shape.columns = affine.getWeightRows();
  shape.depth = affine.getWeightColumns();
  shape.inputs.push_back({0, shape.depth, numFactors * shape.depth});
  auto format = WeightFormat::get(Precision::F32, shape.depth,
                                  {ColumnRange{0, shape.depth}});
  const int64_t stride = getRowStride(op.getOutput());
  const int64_t output =
      context.arena.getOffset(op.getOutput()) + rows.begin * stride;
  for (int64_t i = 0; i < numFactors; ++i) {
    GemmViews views;
    views.weights = createPanels(shape, component, /*folded=*/{}, format);
    views.output = context.kernels.createRows(
        output + i * shape.columns, shape.rows, shape.columns, stride);
    if (has(component.getComponentProperties(),
            ComponentProperties::PropagateAdds))
      views.init = views.output;
    views.inputs.push_back(
        context.kernels.createRows(factors + i * shape.depth, shape.rows,
                                   shape.depth, numFactors * shape.depth));
    context.kernels.createGemm(
        shape, views, [](ValueRange values) { return values.front(); });
  }
}
