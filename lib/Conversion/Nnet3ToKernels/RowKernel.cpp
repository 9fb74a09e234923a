//===- RowKernel.cpp - Work on one row after another ----------------------===//

#include "RowKernel.h"
#include "DeviceLoops.h"

using namespace mlir;
using namespace mlir::nnet3;

namespace {
class RowEmitter {
public:
  RowEmitter(const RowKernel &kernel, const VectorTarget &target,
             func::FuncOp function, OpBuilder &builder,
             unsigned next = getFirstPlace())
      : kernel(kernel), target(target), component(kernel.component),
        blocks(kernel.blocks), e(builder, function.getLoc(), target.device,
                                 /*aligned=*/target.device) {
    arena = function.getArgument(0);
    weights = function.getArgument(1);
    tables = function.getArgument(2);
    for (unsigned i = 0; i < kernel.getNumVectors(); ++i)
      vectorPlaces.push_back(function.getArgument(next++));
    dest = function.getArgument(next++);
    if (kernel.operation != RowOperation::Fill)
      source = function.getArgument(next++);
    if (kernel.operation == RowOperation::AddRange)
      sourceEnd = function.getArgument(next++);
  }

  void emit();
  /// Some columns of a row, on a device.
  void emitRow(Value row, const Stretch &columns) {
    stretch = columns;
    emitRow(row);
  }

private:
  void emitRow(Value row);
  void addRange(Value first, Value last, Value to);
  void emitColumns(Value from, Value to);
  void emitColumns(Value column, int64_t length, Value from, Value to);
  /// The new values of some columns; without a source those of a fill, zeros
  /// where the row to copy is missing.
  Value compute(Value column, int64_t length, Value from, Value to);
  SmallVector<Value> loadVectors(Value column, int64_t length);
  void emitBlocks(Value column, int64_t length, Value from, Value to);
  Value getTableEntry(Value table, Value row);
  void ifRow(Value place, function_ref<void()> there,
             function_ref<void()> notThere);

  const RowKernel &kernel;
  const VectorTarget &target;
  ElementwiseKernelInterface component;
  BlockKernelInterface blocks;
  VectorEmitter e;
  Value arena, weights, tables, dest, source, sourceEnd;
  SmallVector<Value> vectorPlaces;
  Stretch stretch; ///< of columns, on devices
};
} // namespace

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
  Value x = e.load(length, arena, e.add(from, column));
  if (kernel.operation == RowOperation::Elementwise)
    return component.emitElementwise(builder, e.getLoc(), x,
                                     loadVectors(column, length));
  if (kernel.alpha != 1)
    x = arith::MulFOp::create(builder, e.getLoc(), x,
                              e.splat(length, kernel.alpha));
  if (kernel.operation == RowOperation::Copy)
    return x;
  Value y = e.load(length, arena, e.add(to, column));
  return arith::AddFOp::create(builder, e.getLoc(), y, x);
}

SmallVector<Value> RowEmitter::loadVectors(Value column, int64_t length) {
  return llvm::map_to_vector(vectorPlaces, [&](Value place) {
    return e.load(length, weights, e.add(place, column));
  });
}

/// All blocks of the output, in some columns.
void RowEmitter::emitBlocks(Value column, int64_t length, Value from,
                            Value to) {
  SmallVector<Value> inputs, scalars;
  const unsigned numInputs = blocks.getNumInputBlocks();
  for (unsigned i = 0; i < numInputs; ++i)
    inputs.push_back(
        e.load(length, arena, e.add(e.add(from, column), i * kernel.columns)));
  for (unsigned i = 0; i < blocks.getNumScalars(); ++i)
    scalars.push_back(e.broadcast(
        length,
        e.loadScalar(arena, e.add(from, numInputs * kernel.columns + i))));
  SmallVector<Value> outputs = blocks.emitBlocks(
      e.getBuilder(), e.getLoc(), inputs, scalars, loadVectors(column, length));
  for (auto [i, output] : llvm::enumerate(outputs))
    e.store(output, arena, e.add(e.add(to, column), i * kernel.columns));
}

void RowEmitter::emitColumns(Value column, int64_t length, Value from,
                             Value to) {
  if (kernel.operation == RowOperation::Blocks)
    return emitBlocks(column, length, from, to);
  e.store(compute(column, length, from, to), arena, e.add(to, column));
}

void RowEmitter::emitColumns(Value from, Value to) {
  if (target.device)
    return e.parallel(stretch.begin, stretch.end, [&](ValueRange at) {
      emitColumns(e.mul(at[0], kernel.width), kernel.width, from, to);
    });
  const int64_t whole = kernel.columns / target.length * target.length;
  e.forEach(whole, target.length, [&](Value column) {
    emitColumns(column, target.length, from, to);
  });
  if (whole < kernel.columns)
    emitColumns(e.index(whole), kernel.columns - whole, from, to);
}

/// Adds a range of rows, which a thread keeps the sum of.
void RowEmitter::addRange(Value first, Value last, Value to) {
  OpBuilder &builder = e.getBuilder();
  e.parallel(stretch.begin, stretch.end, [&](ValueRange at) {
    Value place = e.add(to, at[0]);
    Value sum = e.loop(
        first, last, kernel.rangeStride, e.load(1, arena, place),
        [&](Value from, ValueRange carried) -> SmallVector<Value> {
          Value x = e.load(1, arena, e.add(from, at[0]));
          if (kernel.alpha != 1)
            x = arith::MulFOp::create(builder, e.getLoc(), x,
                                      e.splat(1, kernel.alpha));
          return {arith::AddFOp::create(builder, e.getLoc(), carried[0], x)};
        })[0];
    e.store(sum, arena, place);
  });
}

void RowEmitter::emit() {
  if (!target.device)
    return e.forEach(kernel.rows, 1, [&](Value row) { emitRow(row); });
  forEachStretch(
      e, kernel.rows, kernel.columns / kernel.width,
      [&](Value row, const Stretch &columns) { emitRow(row, columns); });
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
  if (kernel.operation == RowOperation::AddRange) {
    Value first = getTableEntry(source, row),
          last = getTableEntry(sourceEnd, row);
    if (target.device)
      return ifRow(first, [&] { addRange(first, last, to); }, {});
    return ifRow(first,
                 [&] {
                   e.loop(first, last, kernel.rangeStride,
                          [&](Value from) { emitColumns(from, to); });
                 },
                 {});
  }
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

unsigned RowKernel::getNumVectors() const {
  // Interfaces are handles, whose methods are not const.
  ElementwiseKernelInterface elementwise = component;
  BlockKernelInterface combined = blocks;
  if (elementwise)
    return elementwise.getNumKernelVectors();
  return combined ? combined.getNumKernelVectors() : 0;
}

void RowKernel::emit(func::FuncOp function, const VectorTarget &target) const {
  OpBuilder builder(function.getContext());
  builder.setInsertionPointToStart(function.addEntryBlock());
  RowEmitter(*this, target, function, builder).emit();
  if (target.device)
    setThreads(function, columns / width);
  func::ReturnOp::create(builder, function.getLoc());
}

void RowSequence::emit(func::FuncOp function,
                       const VectorTarget &target) const {
  OpBuilder builder(function.getContext());
  builder.setInsertionPointToStart(function.addEntryBlock());
  VectorEmitter e(builder, function.getLoc(), /*scalars=*/true);
  std::vector<RowEmitter> emitters;
  unsigned next = getFirstPlace();
  for (const RowKernel &kernel : kernels) {
    emitters.emplace_back(kernel, target, function, builder, next);
    next += kernel.getNumPlaces();
  }
  const int64_t points = kernels[0].columns / kernels[0].width;
  forEachStretch(e, kernels[0].rows, points,
                 [&](Value row, const Stretch &columns) {
                   for (RowEmitter &emitter : emitters)
                     emitter.emitRow(row, columns);
                 });
  func::ReturnOp::create(builder, function.getLoc());
  setThreads(function, points);
}
