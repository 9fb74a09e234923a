//===- KernelOperations.cpp - Operations of the kernel dialect ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KernelOperations.h"

#include "nnet3/Dialect/Kernel/IR/KernelDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::nnet3;

namespace {

/// Creates views of the memory, and operations on them, at one location.
class OperationBuilder {
public:
  OperationBuilder(OpBuilder &builder, const KernelCall &call,
                   const ProgramMemory &memory)
      : builder(builder), loc(call.loc), places(call.places), memory(memory) {}

  void create(const GemmKernel &kernel, const VectorTarget &target);
  void create(const RowKernel &kernel);
  void create(const RuntimeKernel &kernel);

private:
  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }
  Value createView(Value base, int64_t place, ArrayRef<int64_t> sizes,
                   ArrayRef<int64_t> strides);
  /// Rows of the arena at distance `stride`; those of a table without one.
  Value createRows(int64_t place, int64_t rows, int64_t columns,
                   std::optional<int64_t> stride);
  Value createVector(int64_t place, int64_t columns) {
    return createView(memory.weights, place, {columns}, {1});
  }
  Value createColumns(Value rows, int64_t first, int64_t columns);
  void createBlocks(const RowKernel &kernel, ArrayRef<Value> vectors);
  int64_t takePlace() {
    int64_t place = places.front();
    places = places.drop_front();
    return place;
  }

  OpBuilder &builder;
  Location loc;
  ArrayRef<int64_t> places;
  const ProgramMemory &memory;
};

} // namespace

Value OperationBuilder::createView(Value base, int64_t place,
                                   ArrayRef<int64_t> sizes,
                                   ArrayRef<int64_t> strides) {
  auto layout = StridedLayoutAttr::get(builder.getContext(),
                                       ShapedType::kDynamic, strides);
  auto type = MemRefType::get(sizes, builder.getF32Type(), layout);
  auto fold = [&](ArrayRef<int64_t> values) {
    return getAsIndexOpFoldResult(builder.getContext(), values);
  };
  return memref::ReinterpretCastOp::create(builder, loc, type, base,
                                           OpFoldResult(index(place)),
                                           fold(sizes), fold(strides));
}

Value OperationBuilder::createRows(int64_t place, int64_t rows, int64_t columns,
                                   std::optional<int64_t> stride) {
  if (stride)
    return createView(memory.arena, place, {rows, columns}, {*stride, 1});
  auto type = kernel::RowsType::get(builder.getContext(), rows, columns);
  return kernel::IndexedRowsOp::create(builder, loc, type, memory.arena,
                                       memory.tables, index(place));
}

Value OperationBuilder::createColumns(Value rows, int64_t first,
                                      int64_t columns) {
  const int64_t numRows = cast<MemRefType>(rows.getType()).getDimSize(0);
  auto fold = [&](ArrayRef<int64_t> values) {
    return getAsIndexOpFoldResult(builder.getContext(), values);
  };
  return memref::SubViewOp::create(builder, loc, rows, fold({0, first}),
                                   fold({numRows, columns}), fold({1, 1}));
}

/// Blocks of columns, then single columns, of the same rows.
void OperationBuilder::createBlocks(const RowKernel &kernel,
                                    ArrayRef<Value> vectors) {
  BlockKernelInterface component = kernel.blocks;
  const int64_t numInputs = component.getNumInputBlocks();
  const int64_t numScalars = component.getNumScalars();
  const int64_t columns = kernel.columns;
  ArrayRef<int64_t> rest = places.drop_front(vectors.size());
  Value to = createRows(rest[0], kernel.rows, kernel.outputBlocks * columns,
                        kernel.destStride);
  Value from =
      createRows(rest[1], kernel.rows, numInputs * columns + numScalars,
                 kernel.sourceStride);
  SmallVector<Value> inputs, outputs;
  for (int64_t i = 0; i < numInputs; ++i)
    inputs.push_back(createColumns(from, i * columns, columns));
  for (int64_t i = 0; i < numScalars; ++i)
    inputs.push_back(createColumns(from, numInputs * columns + i, 1));
  llvm::append_range(inputs, vectors);
  for (int64_t i = 0; i < kernel.outputBlocks; ++i)
    outputs.push_back(createColumns(to, i * columns, columns));
  kernel::MapOp::create(
      builder, loc, inputs, outputs, /*accumulate=*/false,
      [&](OpBuilder &builder, Location loc, ValueRange values) {
        return component.emitBlocks(builder, loc, values.take_front(numInputs),
                                    values.slice(numInputs, numScalars),
                                    values.drop_front(numInputs + numScalars));
      });
}

void OperationBuilder::create(const RowKernel &kernel) {
  SmallVector<Value> vectors;
  for (unsigned i = 0; i < kernel.getNumVectors(); ++i)
    vectors.push_back(createVector(places[i], kernel.columns));
  if (kernel.operation == RowOperation::Blocks)
    return createBlocks(kernel, vectors);
  ArrayRef<int64_t> rest = places.drop_front(vectors.size());
  Value to =
      createRows(rest[0], kernel.rows, kernel.columns, kernel.destStride);
  if (kernel.operation == RowOperation::AddRange) {
    kernel::AddRowRangesOp::create(
        builder, loc, memory.arena, memory.tables, index(rest[1]),
        index(rest[2]), kernel.rangeStride, APFloat(kernel.alpha), to);
    return;
  }
  SmallVector<Value> inputs;
  if (kernel.operation != RowOperation::Fill)
    inputs.push_back(
        createRows(rest[1], kernel.rows, kernel.columns, kernel.sourceStride));
  llvm::append_range(inputs, vectors);
  ElementwiseKernelInterface component = kernel.component;
  kernel::MapOp::create(
      builder, loc, inputs, to, kernel.operation == RowOperation::Add,
      [&](OpBuilder &builder, Location loc,
          ValueRange values) -> SmallVector<Value> {
        if (component)
          return {component.emitElementwise(builder, loc, values.front(),
                                            values.drop_front())};
        if (kernel.operation != RowOperation::Fill && kernel.alpha == 1)
          return {values.front()};
        Value alpha = arith::ConstantOp::create(
            builder, loc, builder.getF32FloatAttr(kernel.alpha));
        if (kernel.operation == RowOperation::Fill)
          return {alpha};
        return {arith::MulFOp::create(builder, loc, values.front(), alpha)};
      });
}

/// The sum, the vectors of the steps and the residual, if there is one, as an
/// element of the output.
static Value createEpilogue(const GemmKernel &kernel, OpBuilder &builder,
                            Location loc, ValueRange values) {
  Value sum = values.front();
  values = values.drop_front();
  for (ElementwiseKernelInterface step : kernel.epilogue) {
    const unsigned numVectors = step.getNumKernelVectors();
    sum =
        step.emitElementwise(builder, loc, sum, values.take_front(numVectors));
    values = values.drop_front(numVectors);
  }
  if (!kernel.residualStride)
    return sum;
  Value scale = arith::ConstantOp::create(
      builder, loc, builder.getF32FloatAttr(kernel.residualScale));
  return math::FmaOp::create(builder, loc, values.front(), scale, sum);
}

void OperationBuilder::create(const GemmKernel &kernel,
                              const VectorTarget &target) {
  const int64_t width = kernel.tile.getPanelWidth(target);
  const int64_t panels = llvm::divideCeil(kernel.columns, width);
  Value weights =
      createView(memory.weights, takePlace(), {panels, kernel.depth, width},
                 {kernel.depth * width, width, 1});
  Value bias, init, scratch, scales, sums;
  if (kernel.bias)
    bias = createVector(takePlace(), kernel.columns);
  SmallVector<Value> inputs, epilogueInputs;
  SmallVector<int64_t> panelRows;
  for (ElementwiseKernelInterface step : kernel.epilogue)
    for (unsigned i = 0; i < step.getNumKernelVectors(); ++i)
      epilogueInputs.push_back(createVector(takePlace(), kernel.columns));
  Value output =
      createRows(takePlace(), kernel.rows, kernel.columns, kernel.outputStride);
  if (kernel.initStride)
    init = createRows(takePlace(), kernel.initRows, kernel.columns,
                      kernel.initStride);
  if (kernel.residualStride)
    epilogueInputs.push_back(createRows(takePlace(), kernel.rows,
                                        kernel.columns, kernel.residualStride));
  for (const GemmInput &input : kernel.inputs) {
    inputs.push_back(
        createRows(takePlace(), kernel.rows, input.depth, input.stride));
    panelRows.push_back(input.first);
  }
  if (kernel.precision != Precision::F32)
    scratch =
        createView(memory.arena, takePlace(), {kernel.getScratchSize()}, {1});
  if (kernel.precision == Precision::Int8) {
    scales = createVector(takePlace(), kernel.columns);
    sums = createVector(takePlace(), kernel.columns);
  }
  auto op = kernel::GemmOp::create(builder, loc, inputs, panelRows, weights,
                                   bias, init, epilogueInputs, scratch, scales,
                                   sums, output, kernel.getTileRows(),
                                   kernel.precision, kernel.isParallel);
  OpBuilder::InsertionGuard guard(builder);
  SmallVector<Type> types(1 + epilogueInputs.size(), builder.getF32Type());
  Block *block = builder.createBlock(&op.getEpilogue(), {}, types,
                                     SmallVector<Location>(types.size(), loc));
  kernel::YieldOp::create(
      builder, loc,
      createEpilogue(kernel, builder, loc, block->getArguments()));
}

/// The places: number of the call, input (-1 for none), output.
void OperationBuilder::create(const RuntimeKernel &kernel) {
  Value input;
  if (kernel.inputStride)
    input = createRows(places[1], kernel.inputRows, kernel.inputColumns,
                       kernel.inputStride);
  Value output = createRows(places[2], kernel.outputRows, kernel.outputColumns,
                            kernel.outputStride);
  kernel::RunComponentOp::create(builder, loc, index(places[0]), input, output,
                                 memory.context);
}

bool mlir::nnet3::isKernelOperation(const Kernel &kernel) {
  return std::holds_alternative<GemmKernel>(kernel) ||
         std::holds_alternative<RowKernel>(kernel) ||
         std::holds_alternative<RuntimeKernel>(kernel);
}

void mlir::nnet3::createKernelOperation(OpBuilder &builder,
                                        const Kernel &kernel,
                                        const KernelCall &call,
                                        const ProgramMemory &memory,
                                        const VectorTarget &target) {
  OperationBuilder operation(builder, call, memory);
  if (auto *gemm = std::get_if<GemmKernel>(&kernel))
    operation.create(*gemm, target);
  else if (auto *rows = std::get_if<RowKernel>(&kernel))
    operation.create(*rows);
  else
    operation.create(std::get<RuntimeKernel>(kernel));
}
