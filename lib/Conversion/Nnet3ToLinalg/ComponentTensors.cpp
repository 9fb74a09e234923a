//===- ComponentTensors.cpp - Components as functions of tensors ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CommandTensors.h"

#include "nnet3/Arithmetic/PrecomputedRows.h"
#include "nnet3/Arithmetic/RowEmission.h"
#include "nnet3/Arithmetic/StagedInterface.h"
#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"
#include "nnet3/Dialect/Nnet3/IR/MatrixLayout.h"

using namespace mlir;
using namespace mlir::nnet3;
using P = ComponentProperties;

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

FailureOr<SmallVector<Value>> CommandTensors::getVectors(Operation *component,
                                                         int64_t number,
                                                         int64_t rows,
                                                         int64_t columns) {
  SmallVector<Value> values;
  if (number == 0)
    return values;
  FailureOr<SmallVector<SmallVector<float>>> vectors =
      getColumnConstants(component);
  if (failed(vectors))
    return failure();
  for (ArrayRef<float> vector : ArrayRef(*vectors).take_front(number))
    values.push_back(tensors.repeat(
        tensors.constant(vector.take_front(columns), 1), rows, 0));
  return values;
}

FailureOr<Value> CommandTensors::getWeights(AffineKernelInterface affine,
                                            ArrayRef<ColumnRange> columns) {
  Value &known = weights[{affine, columns.vec()}];
  if (known)
    return known;
  const int64_t rows = affine.getWeightRows();
  auto values = getTensorVector(affine, affine.getWeightsName(), 0);
  if (failed(values))
    return failure();
  SmallVector<float> transposed;
  int64_t depth = 0;
  for (auto [first, count] : columns) {
    depth += count;
    for (int64_t column = first; column < first + count; ++column)
      for (int64_t row = 0; row < rows; ++row)
        transposed.push_back((*values)[affine.getWeightPlace(row, column)]);
  }
  known = tensors.constant(transposed, depth);
  return known;
}

FailureOr<SmallVector<float>>
CommandTensors::getBias(AffineKernelInterface affine, int64_t column) {
  auto values =
      getTensorVector(affine, affine.getBiasName(), affine.getNumBiases());
  if (failed(values))
    return failure();
  const int64_t first = affine.getFirstBias(column);
  return SmallVector<float>(
      ArrayRef(*values).slice(first, affine.getWeightRows()));
}

//===----------------------------------------------------------------------===//
// Affine maps
//===----------------------------------------------------------------------===//

/// Emits one matmul of all inputs side by side.
LogicalResult CommandTensors::convert(FusedAffineOp op) {
  auto affine = cast<AffineKernelInterface>(
      components.find(op.getComponent()).getOperation());
  if (op.getFolded() || op.getInit() || op.getEpilogue())
    return op.emitOpError("with fused commands is not supported on tensors");
  SmallVector<Value> inputs;
  SmallVector<ColumnRange> columns;
  for (auto [input, rows, column] :
       llvm::zip_equal(op.getInputs(), op.getRows(), op.getColumns())) {
    inputs.push_back(gather(input, cast<RowTableAttr>(rows)));
    columns.push_back({column, numCols(input)});
  }
  const int64_t rows = numRows(op.getOutput());
  auto weights = getWeights(affine, columns);
  if (failed(weights))
    return op.emitOpError("expects a component with parameters");
  Value init;
  if (op.getBias()) {
    auto bias = getBias(affine, op.getColumns().front());
    if (failed(bias))
      return op.emitOpError("expects a component with parameters");
    init = tensors.repeat(tensors.constant(*bias, 1), rows, 0);
  }
  Value result = tensors.matmul(tensors.concat(inputs, 1), *weights, init);
  if (Value residual = op.getResidual())
    result = tensors.add(
        result, tensors.multiply(matrices.read(residual),
                                 op.getResidualScale().convertToFloat()));
  matrices.write(op.getOutput(), result);
  return success();
}

//===----------------------------------------------------------------------===//
// Other components
//===----------------------------------------------------------------------===//

FailureOr<Value>
CommandTensors::propagateElementwise(ElementwiseKernelInterface component,
                                     Value input) {
  if (component.isIdentity())
    return input;
  auto vectors = getVectors(component, component.getNumColumnConstants(),
                            TensorBuilder::getRows(input),
                            TensorBuilder::getColumns(input));
  if (failed(vectors))
    return failure();
  vectors->insert(vectors->begin(), input);
  return computeElements(
             tensors, *vectors,
             [&](OpBuilder &b, ValueRange values) {
               return SmallVector<Value>{component.emitElementwise(
                   b, tensors.getLoc(), values.front(), values.drop_front())};
             })
      .front();
}

FailureOr<Value> CommandTensors::propagateBlocks(BlockKernelInterface component,
                                                 Value input) {
  const int64_t columns = component.getBlockColumns();
  const int64_t numInputs = component.getNumInputBlocks();
  const int64_t numScalars = component.getNumScalars();
  SmallVector<Value> values;
  for (int64_t i = 0; i < numInputs; ++i)
    values.push_back(tensors.sliceColumns(input, i * columns, columns));
  for (int64_t i = 0; i < numScalars; ++i)
    values.push_back(tensors.repeat(
        tensors.sliceColumns(input, numInputs * columns + i, 1), columns, 1));
  auto vectors = getVectors(component, component.getNumColumnConstants(),
                            TensorBuilder::getRows(input), columns);
  if (failed(vectors))
    return failure();
  llvm::append_range(values, *vectors);
  return tensors.concat(
      computeElements(tensors, values,
                      [&](OpBuilder &b, ValueRange elements) {
                        return component.emitBlocks(
                            b, tensors.getLoc(), elements.take_front(numInputs),
                            elements.slice(numInputs, numScalars),
                            elements.drop_front(numInputs + numScalars));
                      }),
      1);
}

FailureOr<Value>
CommandTensors::propagateRows(PropagateOp op, RowKernelInterface component,
                              Value input, Value before,
                              function_ref<void(RowEmission &)> emit) {
  RowTensors operands;
  operands.input = input;
  operands.stored = before;
  operands.rows = numRows(op.getOutput());
  operands.columns =
      before ? TensorBuilder::getColumns(before) : numCols(op.getOutput());
  if (component.getNumColumnConstants() > 0) {
    auto vectors = component.getColumnConstants();
    if (failed(vectors))
      return failure();
    operands.vectors = std::move(*vectors);
    operands.vectors.resize(component.getNumColumnConstants());
  }
  operands.indexes = component.getKernelIndexes();
  if (component.getRowReads() == RowReads::Range) {
    operands.begins = getPrecomputedRows(op.getPrecomputedAttr(), "begins");
    operands.ends = getPrecomputedRows(op.getPrecomputedAttr(), "ends");
  } else if (component.getRowReads() == RowReads::Shifted) {
    operands.shift =
        op.getPrecomputedAttr().getAs<IntegerAttr>("row_shift").getInt();
  }
  return computeRows(tensors, component, operands, emit);
}

/// Emits the factors, their matmul with the weights, and the output from it.
FailureOr<Value>
CommandTensors::propagateFactors(PropagateOp op,
                                 FactorKernelInterface component, Value input,
                                 Value before) {
  auto row = cast<RowKernelInterface>(component.getOperation());
  auto affine = cast<AffineKernelInterface>(component.getOperation());
  const int64_t depth = affine.getWeightColumns();
  const int64_t width = affine.getWeightRows();
  const int64_t numFactors = component.getNumFactors();
  const int64_t rows = numRows(op.getOutput());
  auto factors = propagateRows(
      op, row, input, tensors.zeros(rows, depth * numFactors),
      [&](RowEmission &emission) { component.emitFactor(emission); });
  auto weights = getWeights(affine, {{0, depth}});
  if (failed(factors) || failed(weights))
    return failure();
  SmallVector<Value> products;
  for (int64_t i = 0; i < numFactors; ++i)
    products.push_back(tensors.matmul(
        tensors.sliceColumns(*factors, i * depth, depth), *weights,
        before ? tensors.sliceColumns(before, i * width, width) : Value()));
  const int64_t rest = numCols(op.getOutput()) - numFactors * width;
  if (rest > 0)
    products.push_back(tensors.zeros(rows, rest));
  return propagateRows(op, row, input, tensors.concat(products, 1),
                       [&](RowEmission &emission) { row.emitRow(emission); });
}

/// Copies each row from a block of columns of an input row (spec: components.md
/// 6.45).
Value CommandTensors::distribute(PropagateOp op, Value input) {
  const SmallVector<int64_t> rows =
      getPrecomputedRows(op.getPrecomputedAttr(), "rows");
  const SmallVector<int64_t> blocks =
      getPrecomputedRows(op.getPrecomputedAttr(), "blocks");
  const int64_t columns = numCols(op.getOutput());
  SmallVector<Value> parts;
  for (size_t i = 0; i < rows.size();) {
    const size_t first = i;
    while (i < rows.size() && blocks[i] == blocks[first])
      ++i;
    parts.push_back(tensors.select(
        tensors.sliceColumns(input, blocks[first] * columns, columns),
        ArrayRef(rows).slice(first, i - first), 0));
  }
  return tensors.concat(parts, 0);
}

LogicalResult CommandTensors::convert(PropagateOp op) {
  ComponentOpInterface component = components.find(op.getComponent());
  auto fail = [&](const Twine &reason) {
    return op.emitOpError("is not supported on tensors: component '")
           << op.getComponent().getLeafReference().getValue() << "' " << reason;
  };
  auto staged = dyn_cast<StagedKernelInterface>(component.getOperation());
  if (staged && staged.hasStages(/*isBackward=*/false) &&
      !hasKernel(component, /*device=*/false))
    return fail("is in training mode");
  Value input = op.getInput() ? matrices.read(op.getInput()) : Value();
  const bool adds = has(component.getComponentProperties(), P::PropagateAdds);
  Value before = adds ? matrices.read(op.getOutput()) : Value();
  FailureOr<Value> output = failure();
  if (isa<DistributeOp>(component)) {
    output = distribute(op, input);
  } else if (!hasKernel(component, /*device=*/true)) {
    return fail("has no code as it is configured");
  } else if (auto step = dyn_cast<ElementwiseKernelInterface>(
                 component.getOperation())) {
    output = propagateElementwise(step, input);
  } else if (auto blocks =
                 dyn_cast<BlockKernelInterface>(component.getOperation())) {
    output = propagateBlocks(blocks, input);
  } else if (auto factor =
                 dyn_cast<FactorKernelInterface>(component.getOperation())) {
    output = propagateFactors(op, factor, input, before);
  } else if (auto row =
                 dyn_cast<RowKernelInterface>(component.getOperation())) {
    output = propagateRows(op, row, input, before, [&](RowEmission &emission) {
      row.emitRow(emission);
    });
  }
  if (failed(output))
    return fail("has no parameters, or code that is not for tensors");
  matrices.write(op.getOutput(), *output);
  return success();
}
