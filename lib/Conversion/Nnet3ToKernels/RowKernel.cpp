//===- RowKernel.cpp - Work on one row after another ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RowEmitter.h"

using namespace mlir;
using namespace mlir::nnet3;

RowEmitter::RowEmitter(const RowKernel &kernel, kernel::LaunchOp launch,
                       OpBuilder &builder, unsigned next)
    : kernel(kernel), component(kernel.component), blocks(kernel.blocks),
      e(builder, launch.getLoc(), /*scalars=*/true, /*aligned=*/true) {
  arena = launch.getArgument(0);
  weights = launch.getArgument(1);
  tables = launch.getArgument(2);
  for (unsigned i = 0; i < kernel.getNumVectors(); ++i)
    vectorPlaces.push_back(launch.getArgument(next++));
  dest = launch.getArgument(next++);
  if (kernel.operation != RowOperation::Fill)
    source = launch.getArgument(next++);
}

Value RowEmitter::getTableEntry(Value table, Value row) {
  Value place = e.loadScalar(tables, e.add(table, row));
  return arith::IndexCastOp::create(e.getBuilder(), e.getLoc(),
                                    e.getBuilder().getIndexType(), place);
}

/// Where `place` is not -1, and where it is.
void RowEmitter::ifRow(Value place, function_ref<void()> there,
                       function_ref<void()> notThere) {
  OpBuilder &builder = e.getBuilder();
  Value isThere = arith::CmpIOp::create(
      builder, e.getLoc(), arith::CmpIPredicate::sge, place, e.index(0));
  auto region = [&](function_ref<void()> body) {
    return [&builder, body](OpBuilder &, Location loc) {
      body();
      scf::YieldOp::create(builder, loc);
    };
  };
  if (notThere)
    scf::IfOp::create(builder, e.getLoc(), isThere, region(there),
                      region(notThere));
  else
    scf::IfOp::create(builder, e.getLoc(), isThere, region(there));
}

Value RowEmitter::compute(Value column, int64_t length, Value from, Value to) {
  OpBuilder &builder = e.getBuilder();
  if (!from)
    return e.splat(length, kernel.operation == RowOperation::Fill ? kernel.alpha
                                                                  : 0.0f);
  Value x = load(0, length, e.add(from, column));
  if (kernel.operation == RowOperation::Elementwise)
    return component.emitElementwise(builder, e.getLoc(), x,
                                     loadVectors(column, length));
  if (kernel.alpha != 1)
    x = arith::MulFOp::create(builder, e.getLoc(), x,
                              e.splat(length, kernel.alpha));
  if (kernel.operation == RowOperation::Copy)
    return x;
  Value y = load(1, length, e.add(to, column));
  return arith::AddFOp::create(builder, e.getLoc(), y, x);
}

SmallVector<Value> RowEmitter::loadVectors(Value column, int64_t length) {
  return llvm::map_to_vector(vectorPlaces, [&](Value place) {
    return e.load(length, weights, e.add(place, column));
  });
}

Value RowEmitter::load(unsigned number, int64_t length, Value place) {
  if (number < known.size() && known[number])
    return known[number];
  return e.load(length, arena, place);
}

/// All blocks of the output, in some columns.
SmallVector<Value> RowEmitter::emitBlocks(Value column, int64_t length,
                                          Value from, Value to) {
  SmallVector<Value> inputs, scalars;
  const unsigned numInputs = blocks.getNumInputBlocks();
  for (unsigned i = 0; i < numInputs; ++i)
    inputs.push_back(
        load(i, length, e.add(e.add(from, column), i * kernel.columns)));
  for (unsigned i = 0; i < blocks.getNumScalars(); ++i)
    scalars.push_back(e.broadcast(
        length,
        e.loadScalar(arena, e.add(from, numInputs * kernel.columns + i))));
  SmallVector<Value> outputs = blocks.emitBlocks(
      e.getBuilder(), e.getLoc(), inputs, scalars, loadVectors(column, length));
  for (auto [i, output] : llvm::enumerate(outputs))
    e.store(output, arena, e.add(e.add(to, column), i * kernel.columns));
  return outputs;
}

SmallVector<Value> RowEmitter::emitColumns(Value column, int64_t length,
                                           Value from, Value to) {
  if (kernel.operation == RowOperation::Blocks)
    return emitBlocks(column, length, from, to);
  Value result = compute(column, length, from, to);
  e.store(result, arena, e.add(to, column));
  return {result};
}

SmallVector<Value> RowEmitter::emitColumn(Value row, Value column,
                                          ArrayRef<Value> values) {
  known.assign(values.begin(), values.end());
  Value to = e.add(dest, e.mul(row, *kernel.destStride));
  Value from =
      source ? e.add(source, e.mul(row, *kernel.sourceStride)) : Value();
  return emitColumns(column, kernel.width, from, to);
}

void RowEmitter::emitColumns(Value from, Value to) {
  e.parallel(stretch.begin, stretch.end, [&](ValueRange at) {
    emitColumns(e.mul(at[0], kernel.width), kernel.width, from, to);
  });
}

void RowEmitter::emit() {
  forEachStretch(e, kernel.rows, kernel.columns / kernel.width,
                 [&](Value row, const Stretch &columns) {
                   stretch = columns;
                   emitRow(row);
                 });
}

void RowEmitter::emitRow(Value row) {
  auto address = [&](Value base, std::optional<int64_t> stride) {
    return stride ? e.add(base, e.mul(row, *stride)) : getTableEntry(base, row);
  };
  Value to = address(dest, kernel.destStride);
  auto withDest = [&](function_ref<void()> body) {
    if (kernel.destStride)
      body();
    else
      ifRow(to, body, {});
  };
  if (kernel.operation == RowOperation::Fill)
    return withDest([&] { emitColumns(Value(), to); });
  Value from = address(source, kernel.sourceStride);
  withDest([&] {
    if (kernel.sourceStride)
      return emitColumns(from, to);
    auto zeros = [&] { emitColumns(Value(), to); };
    if (kernel.operation == RowOperation::Add)
      ifRow(from, [&] { emitColumns(from, to); }, {});
    else
      ifRow(from, [&] { emitColumns(from, to); }, zeros);
  });
}

unsigned RowKernel::getNumInputs() const {
  BlockKernelInterface combined = blocks;
  if (combined)
    return combined.getNumInputBlocks();
  return operation == RowOperation::Fill  ? 0
         : operation == RowOperation::Add ? 2
                                          : 1;
}

unsigned RowKernel::getNumVectors() const {
  // Interfaces are handles, whose methods are not const.
  ElementwiseKernelInterface elementwise = component;
  BlockKernelInterface combined = blocks;
  if (elementwise)
    return elementwise.getNumKernelVectors();
  return combined ? combined.getNumKernelVectors() : 0;
}

void RowKernel::emit(kernel::LaunchOp launch) const {
  OpBuilder builder = OpBuilder::atBlockEnd(&launch.getBody().front());
  RowEmitter(*this, launch, builder, getFirstPlace()).emit();
  setThreads(launch, columns / width);
}
