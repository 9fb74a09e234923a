//===- DeviceEpilogue.cpp - Affine commands on devices --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A BLAS library stores the result of a matmul; a map computes the output from
// it. A single row becomes a `kernel.gemv` with an epilogue.
//
//===----------------------------------------------------------------------===//

#include "DeviceAffine.h"
#include "DeviceMemory.h"

#include "nnet3/Dialect/Nnet3/IR/MatrixLayout.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::nnet3;

bool DeviceAffineConverter::sharesMemory(Value a, Value b) const {
  auto end = [&](Value value) {
    return context.arena.getOffset(value) +
           (numRows(value) - 1) * getRowStride(value) + numCols(value);
  };
  return context.arena.getOffset(a) < end(b) &&
         context.arena.getOffset(b) < end(a);
}

DeviceAffineConverter::Sums DeviceAffineConverter::getSums(FusedAffineOp op) {
  Value output = op.getOutput(), init = op.getInit(),
        residual = op.getResidual();
  Sums sums = {context.arena.getOffset(output), getRowStride(output), false};
  // The matmul can accumulate onto `init` if the output already holds it.
  const bool isInPlace = init && context.arena.getOffset(init) == sums.place &&
                         getRowStride(init) == sums.stride &&
                         numRows(init) == numRows(output);
  if ((init && !isInPlace && sharesMemory(init, output)) ||
      (residual && sharesMemory(residual, output)))
    return {getGatherSize(op, target), numCols(output), false};
  sums.beginWithInit = isInPlace;
  return sums;
}

SmallVector<Value> DeviceAffineConverter::createAddends(FusedAffineOp op,
                                                        bool addsInit,
                                                        bool addsBias) {
  SmallVector<Value> addends;
  if (Value init = op.getInit(); init && addsInit)
    addends.push_back(context.createMatrix(init));
  if (op.getBias() && addsBias)
    addends.push_back(
        context.kernels.createVector(getBias(op), numCols(op.getOutput())));
  return addends;
}

SmallVector<Value>
DeviceAffineConverter::createEpilogueInputs(FusedAffineOp op,
                                            ArrayRef<Value> addends) {
  SmallVector<Value> inputs(addends);
  llvm::append_range(inputs, createStepVectors(op));
  if (Value residual = op.getResidual())
    inputs.push_back(context.createMatrix(residual));
  return inputs;
}

Value DeviceAffineConverter::createEpilogue(OpBuilder &builder,
                                            FusedAffineOp op, ValueRange values,
                                            unsigned numAddends) {
  Value sum = values.front();
  for (Value addend : values.slice(1, numAddends))
    sum = arith::AddFOp::create(builder, op.getLoc(), sum, addend);
  return AffineConverter::createEpilogue(builder, op, sum,
                                         values.drop_front(1 + numAddends));
}

/// Emits a map from the accumulators to the output, unless it is the identity.
void DeviceAffineConverter::addEpilogue(FusedAffineOp op, const Blocks &blocks,
                                        const Sums &sums,
                                        std::optional<kernel::Form> form,
                                        bool fusesBias) {
  const int64_t rows = numRows(op.getOutput());
  const int64_t columns = blocks.count * numCols(op.getOutput());
  const int64_t output = context.arena.getOffset(op.getOutput());
  SmallVector<Value> addends =
      createAddends(op, /*addsInit=*/!sums.beginWithInit, !fusesBias);
  SmallVector<Value> inputs = createEpilogueInputs(op, addends);
  if (inputs.empty() && op.getEpilogueSteps().empty() && sums.place == output)
    return;
  inputs.insert(inputs.begin(), context.kernels.createRows(
                                    sums.place, rows, columns, sums.stride));
  auto map = kernel::MapOp::create(
      context.kernels.getBuilder(), context.kernels.getLoc(), inputs,
      context.kernels.createRows(output, rows, columns,
                                 getRowStride(op.getOutput())),
      /*accumulate=*/false,
      [&](OpBuilder &builder, Location loc,
          ValueRange values) -> SmallVector<Value> {
        return {createEpilogue(builder, op, values, addends.size())};
      });
  if (form)
    map.setForm(form);
}

/// Whether the output is a single row whose elements depend only on the inputs
/// and on the elements at the same position that are added.
bool DeviceAffineConverter::isSingleRow(FusedAffineOp op) {
  Value output = op.getOutput();
  auto isApart = [&](Value added) {
    return !added || !sharesMemory(added, output) ||
           context.arena.getOffset(added) == context.arena.getOffset(output);
  };
  return context.module.threads && numRows(output) == 1 &&
         isApart(op.getInit()) && isApart(op.getResidual()) &&
         llvm::all_of(op.getRows(), [](Attribute rows) {
           return getBatches(cast<RowTableAttr>(rows)).has_value();
         });
}

/// Emits one kernel with matmul and epilogue for a single row, for which BLAS
/// matmuls are slow.
void DeviceAffineConverter::addSingleRow(FusedAffineOp op) {
  ComponentOpInterface component = context.components.find(op.getComponent());
  const int64_t place =
      context.module.weights.getMatrix(component, op.getFoldedAttr());
  const int64_t stride =
      cast<AffineKernelInterface>(component.getOperation()).getWeightColumns();
  SmallVector<Value> rows, weights;
  for (auto [source, table, column] :
       llvm::zip_equal(op.getInputs(), op.getRows(), op.getColumns())) {
    const int64_t row = getBatches(cast<RowTableAttr>(table))->first;
    const int64_t depth = numCols(source);
    rows.push_back(context.kernels.createRows(context.arena.getOffset(source) +
                                                  row * getRowStride(source),
                                              /*rows=*/1, depth, depth));
    weights.push_back(context.kernels.createWeights(
        place + column, numCols(op.getOutput()), depth, stride));
  }
  SmallVector<Value> addends =
      createAddends(op, /*addsInit=*/true, /*addsBias=*/true);
  kernel::GemvOp::create(
      context.kernels.getBuilder(), context.kernels.getLoc(), rows, weights,
      createEpilogueInputs(op, addends), context.createMatrix(op.getOutput()),
      [&](OpBuilder &builder, Location loc,
          ValueRange values) -> SmallVector<Value> {
        return {createEpilogue(builder, op, values, addends.size())};
      });
}

/// Whether the library adds the bias in the last matmul: only if nothing else
/// must be added to the accumulators first. ReLU stays in the epilogue, as
/// cuBLASLt does not document its result for NaN.
bool DeviceAffineConverter::fusesBias(FusedAffineOp op, const Sums &sums) {
  return op.getBias() && (!op.getInit() || sums.beginWithInit);
}

void DeviceAffineConverter::convert(FusedAffineOp op) {
  if (converted.contains(op))
    return;
  const Blocks blocks = getBlocks(op);
  if (blocks.count == 1 && isSingleRow(op))
    return addSingleRow(op);
  const Sums sums = getSums(op);
  const bool fuses = fusesBias(op, sums);
  addProducts(op, blocks, sums, fuses);
  if (!fuses || !context.module.threads)
    return addEpilogue(op, blocks, sums, std::nullopt, fuses);
  addEpilogue(op, blocks, sums, kernel::Form::Fused, fuses);
  addEpilogue(op, blocks, sums, kernel::Form::Apart, /*fusesBias=*/false);
}
