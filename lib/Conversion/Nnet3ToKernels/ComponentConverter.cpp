//===- ComponentConverter.cpp - Components as kernel operations -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ComponentConverter.h"
#include "CommandConverter.h"
#include "Device/StageConverter.h"

#include "nnet3/Dialect/Nnet3/Analysis/MatrixWindow.h"
#include "nnet3/Dialect/Nnet3/IR/MatrixLayout.h"
#include "nnet3/Dialect/Nnet3/IR/RowTableAlgebra.h"
#include "nnet3/Fusion/Passes.h"

using namespace mlir;
using namespace mlir::nnet3;

bool mlir::nnet3::copiesBlocks(Operation *component) {
  return isa<DistributeOp>(component);
}

/// Checks that the precomputed tables that a component needs have one number
/// per output row.
static LogicalResult checkTables(PropagateOp op, Operation *component) {
  SmallVector<StringRef> names;
  if (copiesBlocks(component))
    names = {"rows", "blocks"};
  else if (auto row = dyn_cast<RowKernelInterface>(component);
           row && row.getRowReads() == RowReads::Range)
    names = {"begins", "ends"};
  for (StringRef name : names) {
    auto precomputed = op.getPrecomputedAttr();
    auto table = precomputed ? precomputed.getAs<RowTableAttr>(name) : nullptr;
    if (!table || table.size() != numRows(op.getOutput()))
      return op.emitOpError("expects a precomputed table '")
             << name << "' of " << numRows(op.getOutput()) << " rows";
  }
  return success();
}

LogicalResult ComponentConverter::convert(PropagateOp op) {
  if (op.getMemo() && !context.module.device)
    return op.emitOpError("with a memo is not supported in a library");
  Operation *component =
      context.components.find(op.getComponent()).getOperation();
  if (failed(checkTables(op, component)))
    return failure();
  if (copiesBlocks(component))
    return convertDistribute(op), success();
  if (!hasKernel(component, context.module.device))
    return convertOther(op);
  if (auto elementwise = dyn_cast<ElementwiseKernelInterface>(component))
    convertElementwise(op, elementwise);
  else if (auto blocks = dyn_cast<BlockKernelInterface>(component))
    convertBlocks(op, blocks);
  else if (auto factor = dyn_cast<FactorKernelInterface>(component))
    convertFactor(op, factor);
  else if (auto row = dyn_cast<RowKernelInterface>(component))
    convertRow(op, row);
  else
    return convertOther(op);
  return success();
}

void ComponentConverter::convertElementwise(
    PropagateOp op, ElementwiseKernelInterface component) {
  const int64_t round = context.arena.getRound();
  if (component.isIdentity() && MatrixWindow::get(op.getInput(), round) ==
                                    MatrixWindow::get(op.getOutput(), round))
    return;
  Value from = context.createMatrix(op.getInput()),
        to = context.createMatrix(op.getOutput());
  if (component.isIdentity())
    return context.kernels.createCopy(from, to);
  SmallVector<Value> inputs = context.createVectors(
      context.components.find(op.getComponent()),
      component.getNumColumnConstants(), numCols(op.getOutput()));
  inputs.insert(inputs.begin(), from);
  kernel::MapOp::create(
      context.kernels.getBuilder(), context.kernels.getLoc(), inputs, to,
      /*accumulate=*/false,
      [&](OpBuilder &builder, Location loc,
          ValueRange values) -> SmallVector<Value> {
        return {component.emitElementwise(builder, loc, values.front(),
                                          values.drop_front())};
      });
}

/// Emits one map over the blocks of columns and the scalar columns of each row.
void ComponentConverter::convertBlocks(PropagateOp op,
                                       BlockKernelInterface component) {
  const int64_t columns = component.getBlockColumns();
  const int64_t numInputs = component.getNumInputBlocks();
  const int64_t numScalars = component.getNumScalars();
  Value from = context.createMatrix(op.getInput()),
        to = context.createMatrix(op.getOutput());
  SmallVector<Value> inputs, outputs;
  for (int64_t i = 0; i < numInputs; ++i)
    inputs.push_back(context.kernels.createColumns(from, i * columns, columns));
  for (int64_t i = 0; i < numScalars; ++i)
    inputs.push_back(
        context.kernels.createColumns(from, numInputs * columns + i, 1));
  llvm::append_range(inputs, context.createVectors(
                                 context.components.find(op.getComponent()),
                                 component.getNumColumnConstants(), columns));
  for (int64_t i = 0; i < numCols(op.getOutput()) / columns; ++i)
    outputs.push_back(context.kernels.createColumns(to, i * columns, columns));
  kernel::MapOp::create(
      context.kernels.getBuilder(), context.kernels.getLoc(), inputs, outputs,
      /*accumulate=*/false,
      [&](OpBuilder &builder, Location loc, ValueRange values) {
        return component.emitBlocks(builder, loc, values.take_front(numInputs),
                                    values.slice(numInputs, numScalars),
                                    values.drop_front(numInputs + numScalars));
      });
}

//===----------------------------------------------------------------------===//
// Components with code for a row
//===----------------------------------------------------------------------===//

/// Returns the numbers of table `name`, one per output row.
static SmallVector<int64_t> getNumbers(PropagateOp op, StringRef name) {
  SmallVector<int64_t> numbers;
  row_table::Cursor cursor(
      op.getPrecomputedAttr().getAs<RowTableAttr>(name).getCode());
  while (std::optional<RowRef> row = cursor.next())
    numbers.push_back(row->row);
  return numbers;
}

/// Emits the rows of `output` from those of `input`, which may be null.
void ComponentConverter::createRow(PropagateOp op, RowKernelInterface row,
                                   Value input, Value output,
                                   function_ref<void(RowEmission &)> body) {
  RowOperands operands;
  operands.input = input;
  operands.stored = output;
  operands.vectors = context.createVectors(
      context.components.find(op.getComponent()), row.getNumColumnConstants(),
      numCols(op.getOutput()));
  for (const auto &list : row.getKernelIndexes())
    operands.indexes.push_back(context.kernels.createIndexes(
        context.module.tables.add(list), list.size()));
  context.mapRows(operands, row.getNumParts(), body);
}

void ComponentConverter::convertRow(PropagateOp op, RowKernelInterface row) {
  Value input = op.getInput() ? createRowInput(op, row) : Value();
  createRow(op, row, input, context.createMatrix(op.getOutput()),
            [&](RowEmission &emission) { row.emitRow(emission); });
}

/// Creates a view of the input rows that each output row reads.
Value ComponentConverter::createRowInput(PropagateOp op,
                                         RowKernelInterface row) {
  if (row.getRowReads() == RowReads::One)
    return context.createMatrix(op.getInput());
  if (row.getRowReads() == RowReads::Range)
    return createRanges(op);
  const int64_t stride = getRowStride(op.getInput());
  const int64_t shift =
      op.getPrecomputedAttr().getAs<IntegerAttr>("row_shift").getInt();
  return context.kernels.createRowGroups(
      context.arena.getOffset(op.getInput()), numRows(op.getOutput()), stride,
      row.getNumShiftedRows(), shift * stride, numCols(op.getInput()));
}

/// Creates the range of input rows that each output row reads.
Value ComponentConverter::createRanges(PropagateOp op) {
  return context.createRanges(
      [&] { return context.arena.getOffset(op.getInput()); },
      getRowStride(op.getInput()), numCols(op.getInput()),
      getNumbers(op, "begins"), getNumbers(op, "ends"));
}

/// Maximum number of floats of factors, such that they stay in the L2 cache,
/// and minimum number of rows per matmul even if their factors exceed it.
static constexpr int64_t kFactorSize = 1 << 18, kFewestFactorRows = 16;

void ComponentConverter::convertFactor(PropagateOp op,
                                       FactorKernelInterface factor) {
  auto affine = cast<AffineKernelInterface>(factor.getOperation());
  const int64_t rows = numRows(op.getOutput());
  const int64_t columns = affine.getWeightColumns() * factor.getNumFactors();
  // A device has memory for the factors of all rows.
  const int64_t step =
      context.module.device
          ? rows
          : std::min(rows, std::max(kFewestFactorRows, kFactorSize / columns));
  for (int64_t begin = 0; begin < rows; begin += step)
    convertFactor(op, factor, {begin, std::min(step, rows - begin)});
}

/// Emits the factors, their matmul with the weights, and the output from it.
void ComponentConverter::convertFactor(PropagateOp op,
                                       FactorKernelInterface factor,
                                       RowSpan rows) {
  auto row = cast<RowKernelInterface>(factor.getOperation());
  auto affine = cast<AffineKernelInterface>(factor.getOperation());
  const int64_t columns = affine.getWeightColumns() * factor.getNumFactors();
  const int64_t scratch = context.getScratch(rows.count * columns);
  auto createSpan = [&](Value matrix) {
    const int64_t stride = getRowStride(matrix);
    return context.kernels.createRows(context.arena.getOffset(matrix) +
                                          rows.begin * stride,
                                      rows.count, numCols(matrix), stride);
  };
  createRow(op, row, createSpan(op.getInput()),
            context.kernels.createRows(scratch, rows.count, columns, columns),
            [&](RowEmission &emission) { factor.emitFactor(emission); });
  affines.addProduct(op, affine, factor.getNumFactors(), scratch, rows);
  createRow(op, row, createSpan(op.getInput()), createSpan(op.getOutput()),
            [&](RowEmission &emission) { row.emitRow(emission); });
}

/// Copies each row from a block of columns of an input row (spec: components.md
/// 6.45).
void ComponentConverter::convertDistribute(PropagateOp op) {
  const int64_t columns = numCols(op.getOutput());
  auto getPlaces = [&] {
    SmallVector<int64_t> places;
    for (auto [row, block] :
         llvm::zip_equal(getNumbers(op, "rows"), getNumbers(op, "blocks")))
      places.push_back(context.arena.getOffset(op.getInput()) +
                       row * getRowStride(op.getInput()) + block * columns);
    return places;
  };
  SmallVector<int64_t> places = getPlaces();
  auto stride = getDistance(places);
  context.kernels.createCopy(
      context.kernels.createRows(stride ? places[0]
                                        : context.addTable(getPlaces),
                                 numRows(op.getOutput()), columns, stride),
      context.createMatrix(op.getOutput()));
}

//===----------------------------------------------------------------------===//
// All others
//===----------------------------------------------------------------------===//

LogicalResult ComponentConverter::convertOther(PropagateOp op) {
  if (context.module.device)
    return op.emitOpError("is not supported on devices in this configuration: "
                          "component '")
           << op.getComponent().getLeafReference().getValue() << "'";
  const bool draws = has(context.components.getProperties(op.getComponent()),
                         ComponentProperties::Random);
  if (draws && !op.getDraw())
    return op.emitOpError("of a random component expects a draw number; "
                          "see nnet3-number-draws");
  Attribute entry = kernel::CallAttr::get(
      op.getContext(), op.getComponent(),
      op.getInput() ? numRows(op.getInput()) : 0, numRows(op.getOutput()),
      op.getPrecomputedAttr(), draws ? op.getDraw() : std::nullopt);
  auto &known = context.module.runtimeCalls;
  int64_t position = llvm::find(known, entry) - known.begin();
  if (position == int64_t(known.size()))
    known.push_back(entry);
  kernel::RunComponentOp::create(
      context.kernels.getBuilder(), context.kernels.getLoc(),
      context.kernels.index(position),
      op.getInput() ? context.createMatrix(op.getInput()) : Value(),
      context.createMatrix(op.getOutput()), context.kernels.getContext());
  return success();
}

void mlir::nnet3::populateForwardCommands(CommandConverter &converter,
                                          AffineConverter &affines,
                                          StageConverter *stages) {
  auto &components =
      converter.create<ComponentConverter>(converter.getContext(), affines);
  converter.add([&](FusedAffineOp op) { affines.convert(op); });
  converter.add([&, stages](PropagateOp op) -> LogicalResult {
    if (stages && stages->convert(op))
      return success();
    return components.convert(op);
  });
}
