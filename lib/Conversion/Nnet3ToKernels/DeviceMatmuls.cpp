//===- DeviceMatmuls.cpp - The matmuls of affine commands -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DeviceConverter.h"

#include "nnet3/Dialect/Nnet3/IR/MatrixLayout.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::nnet3;

/// Copies the rows of an input to the beginning of the arena.
int64_t DeviceConverter::gather(FusedAffineOp op, unsigned input) {
  auto table = cast<RowTableAttr>(op.getRows()[input]);
  Value source = op.getInputs()[input];
  const int64_t rows = numRows(op.getOutput()), columns = numCols(source);
  kernels.createCopy(kernels.createRows(getTable(table, source, /*none=*/-1),
                                        rows, columns, std::nullopt),
                     kernels.createRows(0, rows, columns, columns));
  return 0;
}

/// The upper half of a float, rounded to the nearest, as CPUs without an
/// instruction for that do.
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

/// The bits of `x` as a number of `precision`, which are 16.
static Value round(OpBuilder &builder, Location loc, Value x,
                   Precision precision) {
  if (precision == Precision::BF16)
    return roundToBf16(builder, loc, x);
  Value half = arith::TruncFOp::create(builder, loc, builder.getF16Type(), x);
  return arith::BitcastOp::create(builder, loc, builder.getI16Type(), half);
}

/// Copies the rows of several inputs to the beginning of the arena, side by
/// side.
int64_t DeviceConverter::splice(FusedAffineOp op, const ProductInputs &inputs) {
  const RowBatches &rows = inputs.rows;
  const bool rounds = hasHalves(inputs.precision);
  const int64_t columns = inputs.depth / inputs.count;
  const int64_t floats = columns / getNumbersPerWord(inputs.precision);
  Value copy = kernels.createRows(0, numRows(op.getOutput()),
                                  inputs.count * floats, inputs.count * floats);
  SmallVector<Value> from, to;
  for (unsigned i = 0; i < inputs.count; ++i) {
    Value source = op.getInputs()[inputs.first + i];
    auto table = cast<RowTableAttr>(op.getRows()[inputs.first + i]);
    const int64_t stride = getRowStride(source);
    const int64_t place =
        arena.getOffset(source) + getBatches(table)->first * stride;
    from.push_back(
        rows.batches == 1
            ? kernels.createRows(place, rows.rows, columns, rows.step * stride)
            : kernels.createRowGroups(place, rows.batches,
                                      rows.distance * stride, rows.rows,
                                      rows.step * stride, columns));
    to.push_back(kernels.createColumns(copy, i * floats, floats));
    if (rounds)
      to.back() = kernels.createIntegers(to.back(), 16);
  }
  kernel::MapOp::create(
      kernels.getBuilder(), kernels.getLoc(), from, to, /*accumulate=*/false,
      [&](OpBuilder &builder, Location loc, ValueRange values) {
        return llvm::map_to_vector(values, [&](Value x) {
          return rounds ? round(builder, loc, x, inputs.precision) : x;
        });
      });
  return 0;
}

/// Lets `kernel` read the rows of `inputs` where they are; gives the place.
int64_t DeviceConverter::readInPlace(FusedAffineOp op,
                                     const ProductInputs &inputs,
                                     MatmulShape &kernel) {
  Value source = op.getInputs()[inputs.first];
  const int64_t stride = getRowStride(source);
  const RowBatches &rows = inputs.rows;
  kernel.rows = rows.rows;
  kernel.inputStride = rows.step * stride;
  kernel.batches = rows.batches;
  kernel.inputBatch = rows.distance * stride;
  kernel.outputBatch = rows.batches > 1 ? rows.rows * kernel.outputStride : 0;
  if (inputs.kind == ProductInputs::Kind::Overlapping) {
    const OverlappingRows overlapping = getOverlappingRows(inputs, stride);
    kernel.rows = overlapping.rows;
    kernel.batches = overlapping.parts;
    if (kernel.batches > 1) {
      kernel.inputBatch = kernel.inputStride;
      kernel.outputBatch = kernel.outputStride;
    }
    kernel.inputStride *= overlapping.parts;
    kernel.outputStride *= overlapping.parts;
  }
  return arena.getOffset(source) + rows.first * stride;
}

/// The product of some inputs, whose rows are copied if need be, and its
/// places.
MatmulShape DeviceConverter::makeProduct(FusedAffineOp op,
                                         const ProductInputs &inputs,
                                         const Sums &sums,
                                         SmallVectorImpl<int64_t> &places) {
  using Kind = ProductInputs::Kind;
  ComponentOpInterface component = components.find(op.getComponent());
  MatmulShape kernel;
  kernel.rows = numRows(op.getOutput());
  kernel.columns = numCols(op.getOutput());
  kernel.depth = kernel.inputStride = inputs.depth;
  kernel.weightsStride =
      cast<AffineKernelInterface>(component.getOperation()).getWeightColumns();
  kernel.outputStride = sums.stride;
  kernel.beta = inputs.first > 0 || sums.beginWithInit;
  const int64_t place = inputs.kind == Kind::Gathered ? gather(op, inputs.first)
                        : inputs.kind == Kind::Spliced
                            ? splice(op, inputs)
                            : readInPlace(op, inputs, kernel);
  kernel.precision = inputs.precision;
  const int64_t numbers = getNumbersPerWord(inputs.precision);
  kernel.weightsStride = llvm::alignTo(kernel.weightsStride, numbers);
  const int64_t weights =
      module.weights.getMatrix(component, op.getFoldedAttr(), inputs.precision);
  places.assign(
      {weights + op.getColumns()[inputs.first] / numbers, place, sums.place});
  return kernel;
}

int64_t DeviceConverter::getBias(FusedAffineOp op) {
  ComponentOpInterface component = components.find(op.getComponent());
  auto affine = cast<AffineKernelInterface>(component.getOperation());
  return module.weights.getBias(component, op.getFoldedAttr()) +
         affine.getFirstBias(op.getColumns()[0]);
}

/// The products of a command. Blocks are batches of each product already.
static SmallVector<ProductInputs> getInputs(FusedAffineOp op, bool hasBlocks,
                                            Precision precision) {
  if (!hasBlocks)
    return getProductInputs(op, precision);
  SmallVector<ProductInputs> result;
  for (auto [i, input] : llvm::enumerate(op.getInputs()))
    result.push_back({ProductInputs::Kind::InPlace, unsigned(i), 1,
                      numCols(input),
                      *getBatches(cast<RowTableAttr>(op.getRows()[i]))});
  return result;
}

/// The last product is there in both forms if a library can add the bias.
void DeviceConverter::addProducts(FusedAffineOp op, const Blocks &blocks,
                                  const Sums &sums, bool fusesBias) {
  const auto all = getInputs(op, blocks.count > 1, precision);
  for (const ProductInputs &inputs : all) {
    SmallVector<int64_t> places;
    MatmulShape kernel = makeProduct(op, inputs, sums, places);
    if (blocks.count > 1) {
      kernel.batches = blocks.count;
      kernel.inputBatch = blocks.inputs[inputs.first];
      kernel.outputBatch = blocks.output;
    }
    if (&inputs != &all.back() || !fusesBias) {
      addMatmul(kernel, places);
      continue;
    }
    kernel.form = kernel::Form::Apart;
    addMatmul(kernel, places);
    kernel.form = kernel::Form::Fused;
    places.push_back(getBias(op));
    addMatmul(kernel, places);
  }
}
