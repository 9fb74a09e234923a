//===- DeviceMatmuls.cpp - The matmuls of affine commands -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DeviceAffine.h"

#include "nnet3/Dialect/Nnet3/IR/MatrixLayout.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::nnet3;

void DeviceAffineConverter::addProduct(PropagateOp op,
                                       AffineKernelInterface affine,
                                       int64_t numFactors, int64_t factors,
                                       RowSpan rows) {
  const int64_t depth = affine.getWeightColumns(),
                columns = affine.getWeightRows();
  const bool adds = has(context.components.getProperties(op.getComponent()),
                        ComponentProperties::PropagateAdds);
  MatrixBatch input = {factors, rows.count, numFactors * depth, numFactors,
                       depth},
              output = {context.arena.getOffset(op.getOutput()), rows.count,
                        getRowStride(op.getOutput()), numFactors, columns};
  if (numFactors == 1)
    input.distance = output.distance = 0;
  const int64_t weights = context.module.weights.getMatrix(
      context.components.find(op.getComponent()), {});
  context.kernels.createMatmul(
      kernel::MatmulFactors::NT,
      context.kernels.createWeights(weights, columns, depth, depth),
      context.kernels.createBatch(input, depth),
      context.kernels.createBatch(output, columns), adds);
}

/// Copies the rows of an input to the start of the arena.
void DeviceAffineConverter::gather(FusedAffineOp op, unsigned input) {
  auto table = cast<RowTableAttr>(op.getRows()[input]);
  Value source = op.getInputs()[input];
  const int64_t rows = numRows(op.getOutput()), columns = numCols(source);
  context.kernels.createCopy(
      context.kernels.createRows(context.getTable(table, source, /*none=*/-1),
                                 rows, columns, std::nullopt),
      context.kernels.createRows(0, rows, columns, columns));
}

/// Rounds to the nearest bf16 in integer arithmetic, like CPUs without an
/// instruction for it.
static Value roundToBf16(OpBuilder &builder, Location loc, Value x) {
  auto integer = [&](int32_t value) -> Value {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getI32IntegerAttr(value));
  };
  auto shift = [&](Value bits) -> Value {
    return arith::ShRUIOp::create(builder, loc, bits, integer(16));
  };
  Value bits = arith::BitcastOp::create(builder, loc, builder.getI32Type(), x);
  Value even = arith::AndIOp::create(builder, loc, shift(bits), integer(1));
  Value up = arith::AddIOp::create(builder, loc, bits, integer(0x7fff));
  Value rounded = shift(arith::AddIOp::create(builder, loc, up, even));
  Value isNan =
      arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNO, x, x);
  return arith::TruncIOp::create(
      builder, loc, builder.getI16Type(),
      arith::SelectOp::create(builder, loc, isNan, integer(0x7fc0), rounded));
}

/// Returns `x` rounded to the 16-bit `precision`, as bits.
static Value round(OpBuilder &builder, Location loc, Value x,
                   Precision precision) {
  if (precision == Precision::BF16)
    return roundToBf16(builder, loc, x);
  Value half = arith::TruncFOp::create(builder, loc, builder.getF16Type(), x);
  return arith::BitcastOp::create(builder, loc, builder.getI16Type(), half);
}

/// Copies the rows of several inputs side by side to the start of the arena.
void DeviceAffineConverter::splice(FusedAffineOp op,
                                   const MatmulInputs &inputs) {
  const RowBatches &rows = inputs.rows;
  const bool rounds = hasHalves(inputs.precision);
  const int64_t columns = inputs.depth / inputs.count;
  const int64_t floats = columns / getNumbersPerWord(inputs.precision);
  Value copy = context.kernels.createRows(
      0, numRows(op.getOutput()), inputs.count * floats, inputs.count * floats);
  SmallVector<Value> from, to;
  for (unsigned i = 0; i < inputs.count; ++i) {
    Value source = op.getInputs()[inputs.first + i];
    auto table = cast<RowTableAttr>(op.getRows()[inputs.first + i]);
    const int64_t stride = getRowStride(source);
    const int64_t place =
        context.arena.getOffset(source) + getBatches(table)->first * stride;
    from.push_back(rows.batches == 1
                       ? context.kernels.createRows(place, rows.rows, columns,
                                                    rows.step * stride)
                       : context.kernels.createRowGroups(
                             place, rows.batches, rows.distance * stride,
                             rows.rows, rows.step * stride, columns));
    to.push_back(context.kernels.createColumns(copy, i * floats, floats));
    if (rounds)
      to.back() = context.kernels.createIntegers(to.back(), 16);
  }
  kernel::MapOp::create(
      context.kernels.getBuilder(), context.kernels.getLoc(), from, to,
      /*accumulate=*/false,
      [&](OpBuilder &builder, Location loc, ValueRange values) {
        return llvm::map_to_vector(values, [&](Value x) {
          return rounds ? round(builder, loc, x, inputs.precision) : x;
        });
      });
}

/// Sets up a matmul that reads the rows of `inputs` in place.
void DeviceAffineConverter::readInPlace(FusedAffineOp op,
                                        const MatmulInputs &inputs,
                                        MatrixBatch &input,
                                        MatrixBatch &output) {
  Value source = op.getInputs()[inputs.first];
  const int64_t stride = getRowStride(source);
  const RowBatches &rows = inputs.rows;
  input = {context.arena.getOffset(source) + rows.first * stride, rows.rows,
           rows.step * stride, rows.batches, rows.distance * stride};
  output.rows = rows.rows;
  output.count = rows.batches;
  if (rows.batches > 1)
    output.distance = rows.rows * output.stride;
  if (inputs.kind != MatmulInputs::Kind::Overlapping)
    return;
  const OverlappingRows overlapping = getOverlappingRows(inputs, stride);
  for (MatrixBatch *batch : {&input, &output}) {
    batch->rows = overlapping.rows;
    batch->count = overlapping.parts;
    batch->distance = overlapping.parts > 1 ? batch->stride : 0;
    batch->stride *= overlapping.parts;
  }
}

/// Creates the matmul of some inputs, whose rows are copied if necessary.
/// Blocks become its batches.
kernel::MatmulOp DeviceAffineConverter::addProduct(FusedAffineOp op,
                                                   const MatmulInputs &inputs,
                                                   const Blocks &blocks,
                                                   const Sums &sums) {
  ComponentOpInterface component = context.components.find(op.getComponent());
  const int64_t numbers = getNumbersPerWord(inputs.precision);
  const int64_t rows = numRows(op.getOutput()),
                columns = numCols(op.getOutput()),
                depth = inputs.depth / numbers;
  const int64_t stride = llvm::divideCeil(
      cast<AffineKernelInterface>(component.getOperation()).getWeightColumns(),
      numbers);
  MatrixBatch input = {0, rows, depth},
              output = {sums.place, rows, sums.stride};
  if (inputs.kind == MatmulInputs::Kind::Gathered)
    gather(op, inputs.first);
  else if (inputs.kind == MatmulInputs::Kind::Spliced)
    splice(op, inputs);
  else
    readInPlace(op, inputs, input, output);
  if (blocks.count > 1) {
    input.count = output.count = blocks.count;
    input.distance = blocks.inputs[inputs.first];
    output.distance = blocks.output;
  }
  const int64_t place = context.module.weights.getMatrix(
      component, op.getFoldedAttr(), inputs.precision);
  auto matmul = context.kernels.createMatmul(
      kernel::MatmulFactors::NT,
      context.kernels.createWeights(place +
                                        op.getColumns()[inputs.first] / numbers,
                                    columns, depth, stride),
      context.kernels.createBatch(input, depth),
      context.kernels.createBatch(output, columns),
      inputs.first > 0 || sums.beginWithInit);
  matmul.setPrecision(inputs.precision);
  return matmul;
}

int64_t DeviceAffineConverter::getBias(FusedAffineOp op) {
  ComponentOpInterface component = context.components.find(op.getComponent());
  auto affine = cast<AffineKernelInterface>(component.getOperation());
  return context.module.weights.getBias(component, op.getFoldedAttr()) +
         affine.getFirstBias(op.getColumns()[0]);
}

/// Returns the matmuls of a command. With blocks, each input is a matmul of its
/// own, as blocks are its batches.
static SmallVector<MatmulInputs> getInputs(FusedAffineOp op, bool hasBlocks,
                                           const MatmulTarget &target) {
  if (!hasBlocks)
    return getMatmulInputs(op, target);
  SmallVector<MatmulInputs> result;
  for (auto [i, input] : llvm::enumerate(op.getInputs()))
    result.push_back({MatmulInputs::Kind::InPlace, unsigned(i), 1,
                      numCols(input),
                      *getBatches(cast<RowTableAttr>(op.getRows()[i]))});
  return result;
}

/// With `fusesBias`, the last matmul is emitted with and without a fused bias.
void DeviceAffineConverter::addProducts(FusedAffineOp op, const Blocks &blocks,
                                        const Sums &sums, bool fusesBias) {
  const auto all = getInputs(op, blocks.count > 1, target);
  kernel::MatmulOp last;
  for (const MatmulInputs &inputs : all)
    last = addProduct(op, inputs, blocks, sums);
  if (!fusesBias)
    return;
  Value bias =
      context.kernels.createVector(getBias(op), numCols(op.getOutput()));
  // On CPUs the bias is always fused.
  if (!context.module.threads) {
    last->moveAfter(bias.getDefiningOp());
    last.getBiasMutable().assign(bias);
    return;
  }
  auto fused =
      cast<kernel::MatmulOp>(context.kernels.getBuilder().clone(*last));
  last.setForm(kernel::Form::Apart);
  fused.setForm(kernel::Form::Fused);
  fused.getBiasMutable().assign(bias);
}
