//===- AffineConverter.cpp - Affine commands as matmuls of CPUs -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CommandConverter.h"

#include "nnet3/Dialect/Nnet3/IR/MatrixLayout.h"
#include "nnet3/Dialect/Nnet3/IR/RowTableAlgebra.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::nnet3;

/// Products with fewer columns of output take less time in f32, for the rows
/// need not be converted; with fewer terms there is little to gain.
static constexpr int64_t kFewestReducedColumns = 16;
static constexpr int64_t kFewestReducedTerms = 16;
/// As many products of int8 as a sum of 32 bits has room for.
static constexpr int64_t kMostReducedTerms = (int64_t(1) << 31) / (255 * 127);

/// In less than f32 only what takes less time than to convert the rows.
static Precision getPrecision(FusedAffineOp op, Precision wanted) {
  int64_t depth = 0;
  for (Value input : op.getInputs())
    depth += numCols(input);
  return numCols(op.getOutput()) < kFewestReducedColumns ||
                 depth < kFewestReducedTerms || depth > kMostReducedTerms
             ? Precision::F32
             : wanted;
}

Value CommandConverter::createMatrix(Value matrix) {
  return kernels.createRows(arena.getOffset(matrix), numRows(matrix),
                            numCols(matrix), getRowStride(matrix));
}

Value CommandConverter::createPanels(GemmShape &shape, int64_t place) {
  shape.target = module.target;
  shape.tile = GemmTile::get(module.target, shape.columns, shape.depth);
  shape.isParallel =
      shape.getNumWholeTiles() > 1 && shape.getFlops() >= module.parallelFlops;
  const int64_t width = shape.tile.getPanelWidth(module.target);
  return kernels.createPanels(place, llvm::divideCeil(shape.columns, width),
                              shape.depth, width);
}

/// The rows of input `number` of `op`, whose weights are the rows of a panel
/// from `first` on.
Value CommandConverter::createInput(FusedAffineOp op, unsigned number,
                                    int64_t first, GemmShape &shape) {
  Value input = op.getInputs()[number];
  auto rows = cast<RowTableAttr>(op.getRows()[number]);
  GemmInput part = {first, numCols(input), std::nullopt};
  int64_t place;
  if (auto progression = row_table::getProgression(rows.getCode())) {
    part.stride = progression->step * getRowStride(input);
    place = arena.getOffset(input) + progression->start * getRowStride(input);
  } else {
    place = getTable(rows, input, /*none=*/0);
  }
  shape.inputs.push_back(part);
  return kernels.createRows(place, shape.rows, part.depth, part.stride);
}

/// The operands that only matmuls of less than f32 have.
void CommandConverter::addReducedViews(FusedAffineOp op, const GemmShape &shape,
                                       ArrayRef<ColumnRange> used,
                                       GemmViews &views) {
  if (shape.precision == Precision::F32)
    return;
  const int64_t size = shape.getScratchSize();
  views.scratch = kernels.createScratch(getScratch(size), size);
  if (shape.precision != Precision::Int8)
    return;
  ComponentOpInterface component = components.find(op.getComponent());
  views.scales = kernels.createVector(
      module.weights.getScales(component, op.getFoldedAttr()), shape.columns);
  views.sums = kernels.createVector(
      module.weights.getSums(component, op.getFoldedAttr(), used),
      shape.columns);
}

SmallVector<Value> CommandConverter::createStepVectors(FusedAffineOp op) {
  SmallVector<Value> vectors;
  for (Attribute name : op.getEpilogueSteps()) {
    auto step = cast<SymbolRefAttr>(name);
    for (unsigned i = 0; i < getElementwise(step).getNumKernelVectors(); ++i)
      vectors.push_back(kernels.createVector(
          module.weights.getVector(components.find(step), i),
          numCols(op.getOutput())));
  }
  return vectors;
}

Value CommandConverter::createEpilogue(OpBuilder &builder, FusedAffineOp op,
                                       Value sum, ValueRange elements) {
  Location loc = op.getLoc();
  for (Attribute name : op.getEpilogueSteps()) {
    auto step = getElementwise(cast<SymbolRefAttr>(name));
    const unsigned numVectors = step.getNumKernelVectors();
    sum = step.emitElementwise(builder, loc, sum,
                               elements.take_front(numVectors));
    elements = elements.drop_front(numVectors);
  }
  if (!op.getResidual())
    return sum;
  Value scale = arith::ConstantOp::create(
      builder, loc,
      builder.getF32FloatAttr(op.getResidualScale().convertToFloat()));
  return math::FmaOp::create(builder, loc, elements.front(), scale, sum);
}

void CommandConverter::convertAffine(FusedAffineOp op) {
  ComponentOpInterface component = components.find(op.getComponent());
  auto affine = cast<AffineKernelInterface>(component.getOperation());
  SmallVector<ColumnRange> used;
  for (auto [input, column] : llvm::zip_equal(op.getInputs(), op.getColumns()))
    used.push_back({column, numCols(input)});
  GemmShape shape;
  shape.rows = numRows(op.getOutput());
  shape.columns = numCols(op.getOutput());
  shape.precision = getPrecision(op, module.precision);
  auto format =
      WeightFormat::get(shape.precision, affine.getWeightColumns(), used);
  shape.depth = format.getWords();
  GemmViews views;
  for (auto [i, column] : llvm::enumerate(op.getColumns()))
    views.inputs.push_back(createInput(op, i, format.getWord(column), shape));
  views.weights = createPanels(
      shape, module.weights.getPanels(component, op.getFoldedAttr(), format));
  if (op.getBias())
    views.bias = kernels.createVector(
        module.weights.getBias(component, op.getFoldedAttr()) +
            affine.getFirstBias(op.getColumns()[0]),
        shape.columns);
  views.epilogue = createStepVectors(op);
  views.output = createMatrix(op.getOutput());
  if (Value init = op.getInit())
    views.init =
        kernels.createRows(arena.getOffset(init), numRows(init), shape.columns,
                           numRows(init) == 1 ? 0 : getRowStride(init));
  if (Value residual = op.getResidual())
    views.epilogue.push_back(createMatrix(residual));
  addReducedViews(op, shape, used, views);
  kernels.createGemm(shape, views, [&](ValueRange values) {
    return createEpilogue(kernels.getBuilder(), op, values.front(),
                          values.drop_front());
  });
}

void CommandConverter::addProduct(PropagateOp op, AffineKernelInterface affine,
                                  int64_t numFactors, int64_t factors,
                                  RowSpan rows) {
  ComponentOpInterface component = components.find(op.getComponent());
  GemmShape shape;
  shape.rows = rows.count;
  shape.columns = affine.getWeightRows();
  shape.depth = affine.getWeightColumns();
  shape.inputs.push_back({0, shape.depth, numFactors * shape.depth});
  auto format = WeightFormat::get(Precision::F32, shape.depth,
                                  {ColumnRange{0, shape.depth}});
  const int64_t weights =
      module.weights.getPanels(component, /*folded=*/{}, format);
  const int64_t stride = getRowStride(op.getOutput());
  const int64_t output = arena.getOffset(op.getOutput()) + rows.begin * stride;
  for (int64_t i = 0; i < numFactors; ++i) {
    GemmViews views;
    views.weights = createPanels(shape, weights);
    views.output = kernels.createRows(output + i * shape.columns, shape.rows,
                                      shape.columns, stride);
    if (has(component.getComponentProperties(),
            ComponentProperties::PropagateAdds))
      views.init = views.output;
    views.inputs.push_back(kernels.createRows(factors + i * shape.depth,
                                              shape.rows, shape.depth,
                                              numFactors * shape.depth));
    kernels.createGemm(shape, views,
                       [](ValueRange values) { return values.front(); });
  }
}
