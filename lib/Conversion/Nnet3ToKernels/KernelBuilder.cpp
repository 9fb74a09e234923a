//===- KernelBuilder.cpp - Operations of the kernel dialect ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KernelBuilder.h"
#include "nnet3/Dialect/Kernel/IR/CreateView.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::nnet3;

KernelBuilder::KernelBuilder(ComputationOp computation)
    : builder(computation.getContext()), loc(computation.getLoc()) {
  auto floats = MemRefType::get({1}, builder.getF32Type());
  auto words = MemRefType::get({1}, builder.getI32Type());
  Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
  function = func::FuncOp::create(
      loc, computation.getSymName(),
      builder.getFunctionType({floats, floats, words, pointer}, {}));
  Block *body = function->addEntryBlock();
  arena = body->getArgument(0);
  weights = body->getArgument(1);
  tables = body->getArgument(2);
  context = body->getArgument(3);
  builder.setInsertionPointToStart(body);
}

func::FuncOp KernelBuilder::finish(MemRefType floats, MemRefType words) {
  arena.setType(floats);
  weights.setType(floats);
  tables.setType(words);
  function->setFunctionType(builder.getFunctionType(
      function->getBody().getArgumentTypes(), TypeRange()));
  builder.setInsertionPointToEnd(&function->getBody().front());
  func::ReturnOp::create(builder, function->getLoc());
  return function.release();
}

Value KernelBuilder::index(int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}

Value KernelBuilder::createView(Value base, int64_t place,
                                ArrayRef<int64_t> sizes,
                                ArrayRef<int64_t> strides) {
  return kernel::createView(builder, loc, base, index(place), sizes, strides);
}

Value KernelBuilder::createRows(int64_t place, int64_t rows, int64_t columns,
                                std::optional<int64_t> stride) {
  if (stride)
    return createView(arena, place, {rows, columns}, {*stride, 1});
  auto type = kernel::RowsType::get(builder.getContext(), rows, columns);
  return kernel::IndexedRowsOp::create(builder, loc, type, arena, tables,
                                       index(place));
}

Value KernelBuilder::createRowGroups(int64_t place, int64_t rows,
                                     int64_t stride, int64_t count,
                                     int64_t distance, int64_t columns) {
  return createView(arena, place, {rows, count, columns},
                    {stride, distance, 1});
}

Value KernelBuilder::createRowRanges(int64_t begins, int64_t counts,
                                     int64_t rows, int64_t columns,
                                     int64_t stride) {
  auto type =
      kernel::RowRangesType::get(builder.getContext(), rows, columns, stride);
  return kernel::RowRangesOp::create(builder, loc, type, arena, tables,
                                     index(begins), index(counts));
}

Value KernelBuilder::createVector(int64_t place, int64_t size) {
  return createView(weights, place, {size}, {1});
}

Value KernelBuilder::createIndexes(int64_t place, int64_t size) {
  return createView(tables, place, {size}, {1});
}

Value KernelBuilder::createRowIndexes(int64_t place, int64_t rows) {
  return createView(tables, place, {rows, 1}, {1, 1});
}

Value KernelBuilder::createPanels(int64_t place, int64_t panels, int64_t depth,
                                  int64_t width) {
  return createView(weights, place, {panels, depth, width},
                    {depth * width, width, 1});
}

Value KernelBuilder::createScratch(int64_t place, int64_t size) {
  return createView(arena, place, {size}, {1});
}

Value KernelBuilder::createWeights(int64_t place, int64_t rows, int64_t columns,
                                   int64_t stride) {
  return createView(weights, place, {rows, columns}, {stride, 1});
}

Value KernelBuilder::createIntegers(Value rows, unsigned bits) {
  auto type = cast<MemRefType>(rows.getType());
  const int64_t numbers = 32 / bits;
  auto layout = StridedLayoutAttr::get(
      builder.getContext(), ShapedType::kDynamic,
      {numbers * type.getStridesAndOffset().first.front(), 1});
  auto integers =
      MemRefType::get({type.getDimSize(0), numbers * type.getDimSize(1)},
                      builder.getIntegerType(bits), layout);
  return kernel::NarrowOp::create(builder, loc, integers, rows);
}

Value KernelBuilder::createColumns(Value rows, int64_t first, int64_t columns) {
  const int64_t numRows = cast<MemRefType>(rows.getType()).getDimSize(0);
  auto fold = [&](ArrayRef<int64_t> values) {
    return getAsIndexOpFoldResult(builder.getContext(), values);
  };
  return memref::SubViewOp::create(builder, loc, rows, fold({0, first}),
                                   fold({numRows, columns}), fold({1, 1}));
}

kernel::MatmulOp KernelBuilder::createMatmul(kernel::MatmulFactors factors,
                                             Value weights, Value input,
                                             Value output, float beta) {
  return kernel::MatmulOp::create(
      builder, loc,
      kernel::MatmulFactorsAttr::get(builder.getContext(), factors), weights,
      input, output, /*bias=*/Value(), builder.getF32FloatAttr(beta),
      kernel::PrecisionAttr::get(builder.getContext(), Precision::F32),
      kernel::FormAttr());
}

void KernelBuilder::createFill(Value rows, float value) {
  kernel::MapOp::create(
      builder, loc, ValueRange(), rows, /*accumulate=*/false,
      [&](OpBuilder &builder, Location loc, ValueRange) -> SmallVector<Value> {
        return {arith::ConstantOp::create(builder, loc,
                                          builder.getF32FloatAttr(value))};
      });
}

void KernelBuilder::createCopy(Value from, Value to, float alpha, bool adds) {
  kernel::MapOp::create(
      builder, loc, from, to, adds,
      [&](OpBuilder &builder, Location loc,
          ValueRange values) -> SmallVector<Value> {
        if (alpha == 1)
          return {values.front()};
        Value scale = arith::ConstantOp::create(builder, loc,
                                                builder.getF32FloatAttr(alpha));
        return {arith::MulFOp::create(builder, loc, values.front(), scale)};
      });
}

void KernelBuilder::createGemm(const GemmShape &shape, const GemmViews &views,
                               function_ref<Value(ValueRange)> epilogue) {
  auto panelRows = llvm::map_to_vector(
      shape.inputs, [](const GemmInput &input) { return input.first; });
  auto op = kernel::GemmOp::create(
      builder, loc, views.inputs, panelRows, views.weights, views.bias,
      views.init, views.epilogue, views.scratch, views.scales, views.sums,
      views.output, shape.getTileRows(), shape.precision, shape.isParallel);
  OpBuilder::InsertionGuard guard(builder);
  SmallVector<Type> types(1 + views.epilogue.size(), builder.getF32Type());
  Block *block = builder.createBlock(&op.getEpilogue(), {}, types,
                                     SmallVector<Location>(types.size(), loc));
  kernel::YieldOp::create(builder, loc, epilogue(block->getArguments()));
}
