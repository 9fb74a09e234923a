//===- RowCode.cpp - Scalar code of rows in lanes -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Conversion/KernelToVector/RowLowering.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::kernel;

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

LogicalResult RowCode::initialize(ValueRange views) {
  Operation *op = region.getParentOp();
  for (Value operand : views) {
    if (auto ranges = operand.getDefiningOp<RowRangesOp>()) {
      operands.push_back({ranges.getArena(), ranges.getBegin(),
                          ranges.getType().getStride(), ranges.getTable(),
                          ranges.getCount()});
      continue;
    }
    auto found = RowAddresses::get(b, op, operand);
    if (failed(found))
      return failure();
    operands.push_back(
        {found->getMemory(), found->getFirst(b), found->getStride(), {}, {}});
  }
  return success();
}

Value RowCode::getEntry(Value table, Value entry) {
  return arith::IndexCastOp::create(b, b.getIndexType(),
                                    memref::LoadOp::create(b, table, entry));
}

RowCode::Row RowCode::getRow(const Operand &operand, BlockArgument argument,
                             Value row) {
  auto type = cast<MemRefType>(argument.getType());
  const int64_t stride = type.getStridesAndOffset().first.front();
  if (operand.table)
    return {operand.memory,
            getEntry(operand.table, addIndex(b, operand.begin, row)), stride,
            getEntry(operand.table, addIndex(b, operand.count, row))};
  Value offset = operand.stride ? addIndex(b, operand.begin,
                                           mulIndex(b, row, operand.stride))
                                : operand.begin;
  return {operand.memory, offset, stride,
          arith::ConstantIndexOp::create(b, type.getDimSize(0))};
}

void RowCode::setRow(Value row, Value index) {
  Block &block = region.front();
  mapping.map(block.getArgument(0), index);
  for (auto [argument, operand] :
       llvm::zip_equal(block.getArguments().drop_front(), operands))
    rows[argument] = getRow(operand, argument, row);
}

void RowCode::fail(Operation *inner, StringRef message) {
  if (!hasFailed)
    inner->emitOpError(message);
  hasFailed = true;
}

Value RowCode::lookup(Value value) {
  if (Value known = mapping.lookupOrNull(value))
    return known;
  assert(hasFailed && "a value without code");
  return arith::ConstantOp::create(b, b.getZeroAttr(value.getType()));
}

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

void RowCode::emit(Block &block) {
  for (Operation &inner : block.without_terminator())
    emit(&inner);
}

void RowCode::emit(Operation *inner) {
  if (hasFailed)
    return;
  llvm::TypeSwitch<Operation *>(inner)
      .Case<scf::ForOp, memref::LoadOp, memref::StoreOp, memref::DimOp>(
          [&](auto known) { emit(known); })
      .Default([&](Operation *) { emitScalar(inner); });
}

SmallVector<Value> RowCode::getYielded(Block &block) {
  return llvm::map_to_vector(
      block.getTerminator()->getOperands(),
      [&](Value value) { return inLanes(lookup(value)); });
}

Value RowCode::widen(Value values) {
  Type wide = b.getF64Type();
  if (getElementTypeOrSelf(values) == wide)
    return values;
  if (auto vector = dyn_cast<VectorType>(values.getType()))
    wide = vector.clone(wide);
  return arith::ExtFOp::create(b, wide, values);
}

Value RowCode::inLanes(Value value) {
  if (lanes.isOne() || isa<VectorType>(value.getType()))
    return value;
  return vector::BroadcastOp::create(b, inLanes(value.getType()), value);
}

Type RowCode::inLanes(Type scalar) { return lanes.getType(scalar); }

Value RowCode::splat(float value) {
  return createScalarOrSplatConstant(b, b.getLoc(), inLanes(b.getF32Type()),
                                     APFloat(value));
}

static std::optional<int64_t> getConstant(Value value) {
  APInt number;
  if (!matchPattern(value, m_ConstantInt(&number)))
    return std::nullopt;
  return number.getSExtValue();
}

/// Returns the step between lanes of the index that an operation computes; an
/// operation that is not linear fails unless all its operands have step 0.
int64_t RowCode::computeStep(Operation *inner) {
  if (llvm::all_of(inner->getOperands(),
                   [&](Value operand) { return getStep(operand) == 0; }))
    return 0;
  if (isa<arith::AddIOp>(inner))
    return getStep(inner->getOperand(0)) + getStep(inner->getOperand(1));
  if (isa<arith::SubIOp>(inner))
    return getStep(inner->getOperand(0)) - getStep(inner->getOperand(1));
  if (isa<arith::MulIOp>(inner))
    for (unsigned i : {0, 1})
      if (auto factor = getConstant(inner->getOperand(i)))
        return *factor * getStep(inner->getOperand(1 - i));
  if (!lanes.isOne())
    fail(inner, "does not compute a linear function of the column");
  return 0;
}

/// Computes the steps of indexes without emitting code.
bool RowCode::canScale(Block &block, Value column) {
  steps[column] = 1;
  return !block
              .walk<WalkOrder::PreOrder>([&](Operation *inner) {
                if (isa<KernelDialect>(inner->getDialect()) &&
                    !isa<SumRowsOp, YieldOp>(inner))
                  return WalkResult::interrupt();
                if (auto load = dyn_cast<memref::LoadOp>(inner))
                  if (const int64_t step = getStep(load.getIndices().back());
                      step != 0 && step != 1)
                    return WalkResult::interrupt();
                const int64_t step = computeStep(inner);
                for (Value result : inner->getResults())
                  steps[result] = step;
                return WalkResult::advance();
              })
              .wasInterrupted();
}

void RowCode::emitScalar(Operation *inner) {
  const int64_t step = computeStep(inner);
  SmallVector<Value> values;
  for (Value operand : inner->getOperands())
    values.push_back(lookup(operand));
  const bool isWide = llvm::any_of(
      values, [](Value value) { return isa<VectorType>(value.getType()); });
  if (isWide)
    llvm::transform(values, values.begin(),
                    [&](Value value) { return inLanes(value); });
  Operation *copy = inner->clone(mapping);
  copy->setOperands(values);
  b.insert(copy);
  for (auto [result, before] :
       llvm::zip_equal(copy->getResults(), inner->getResults())) {
    if (isWide && before.getType().isIndex())
      fail(inner, "computes an index that differs from column to column");
    else if (isWide)
      result.setType(lanes.getVectorType(before.getType()));
    steps[before] = step;
  }
}

/// Loop-carried numbers have a value per lane; loop-carried indexes must be the
/// same in all lanes.
void RowCode::emit(scf::ForOp loop) {
  auto carry = [&](Value value) {
    if (getStep(value))
      fail(loop, "carries an index that differs from column to column");
    Value mapped = lookup(value);
    return value.getType().isIndex() ? mapped : inLanes(mapped);
  };
  for (Value bound :
       {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()})
    if (getStep(bound))
      return fail(loop, "expects bounds that all columns have");
  SmallVector<Value> inits = llvm::map_to_vector(loop.getInitArgs(), carry);
  auto copy = scf::ForOp::create(
      b, loop.getLoc(), lookup(loop.getLowerBound()),
      lookup(loop.getUpperBound()), lookup(loop.getStep()), inits,
      [&](OpBuilder &builder, Location loc, Value i, ValueRange before) {
        mapping.map(loop.getInductionVar(), i);
        mapping.map(loop.getRegionIterArgs(), before);
        emit(*loop.getBody());
        scf::YieldOp::create(
            builder, loc, llvm::map_to_vector(loop.getYieldedValues(), carry));
      });
  mapping.map(loop.getResults(), copy.getResults());
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

Value RowCode::getOffset(Value memory, ValueRange indices) {
  const Row &row = rows.find(memory)->second;
  Value offset = addIndex(b, row.offset, lookup(indices.back()));
  if (indices.size() == 1)
    return offset;
  if (auto number = getConstant(indices[0]))
    return addIndex(b, offset, *number * row.stride);
  return addIndex(b, offset, mulIndex(b, lookup(indices[0]), row.stride));
}

/// Loads neighbouring columns as a vector, others one by one.
void RowCode::emit(memref::LoadOp load) {
  const Row row = rows.find(load.getMemRef())->second;
  Value offset = getOffset(load.getMemRef(), load.getIndices());
  const int64_t step = getStep(load.getIndices().back());
  if (load.getIndices().size() == 2 && getStep(load.getIndices()[0]))
    fail(load, "expects a row that all columns have");
  Value result;
  if (lanes.isOne() || step == 0) {
    result = memref::LoadOp::create(b, row.memory, offset);
  } else if (!load.getType().isF32()) {
    result = memref::LoadOp::create(b, row.memory, offset);
    fail(load, "expects an entry that all columns have");
  } else if (step == 1) {
    result = lanes.load(b, inLanes(b.getF32Type()), row.memory, offset);
  } else {
    SmallVector<Value> elements;
    for (int64_t lane = 0; lane < lanes.getCount(); ++lane)
      elements.push_back(memref::LoadOp::create(
          b, row.memory, addIndex(b, offset, lane * step)));
    result = vector::FromElementsOp::create(
        b, lanes.getVectorType(b.getF32Type()), elements);
  }
  mapping.map(load.getResult(), result);
}

void RowCode::emit(memref::StoreOp store) {
  if (!lanes.isOne() && getStep(store.getIndices()[0]) != 1)
    fail(store, "expects to store to neighbouring columns");
  const Row row = rows.find(store.getMemRef())->second;
  Value value = inLanes(lookup(store.getValueToStore()));
  lanes.store(b, value, row.memory,
              getOffset(store.getMemRef(), store.getIndices()));
}

void RowCode::emit(memref::DimOp dim) {
  mapping.map(dim.getResult(), rows.find(dim.getSource())->second.numRows);
}
