//===- RowAddresses.cpp - Offsets of the rows of a view -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Conversion/KernelToVector/RowAddresses.h"

#include "nnet3/Dialect/Kernel/IR/KernelDialect.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::kernel;

FailureOr<RowAddresses> RowAddresses::get(ImplicitLocOpBuilder &b,
                                          Operation *op, Value view) {
  RowAddresses rows;
  if (auto indexed = view.getDefiningOp<IndexedRowsOp>()) {
    rows.memory = indexed.getArena();
    rows.table = indexed.getTable();
    rows.begin = indexed.getBegin();
    return rows;
  }
  if (auto narrow = view.getDefiningOp<NarrowOp>())
    return get(b, op, narrow.getMatrix());
  if (auto part = view.getDefiningOp<memref::SubViewOp>()) {
    auto whole = get(b, op, part.getSource());
    auto offsets = part.getStaticOffsets();
    if (failed(whole))
      return failure();
    if ((offsets.size() == 1 || (offsets.size() == 2 && offsets[0] == 0)) &&
        !ShapedType::isDynamic(offsets.back())) {
      whole->firstColumn += offsets.back() * whole->columnStride;
      return whole;
    }
  }
  if (auto cast = view.getDefiningOp<memref::ReinterpretCastOp>()) {
    auto type = llvm::cast<MemRefType>(cast.getType());
    rows.memory = cast.getSource();
    rows.begin = getValueOrCreateConstantIndexOp(
        b, b.getLoc(), cast.getMixedOffsets().front());
    auto [strides, offset] = type.getStridesAndOffset();
    if (type.getRank() > 1)
      rows.stride = strides.front();
    rows.columnStride = strides.back();
    if (isArena(rows.memory.getType()) || isTable(rows.memory.getType()))
      return rows;
  }
  return op->emitOpError("expects operands that memref.reinterpret_cast, some "
                         "columns of one, or kernel.indexed_rows gives");
}

Value RowAddresses::getRow(ImplicitLocOpBuilder &b, Value row) const {
  if (table) {
    Value entry = memref::LoadOp::create(b, table, addIndex(b, begin, row));
    return arith::IndexCastOp::create(b, b.getIndexType(), entry);
  }
  Value first = stride ? addIndex(b, begin, mulIndex(b, row, stride)) : begin;
  return addIndex(b, first, firstColumn);
}

void mlir::nnet3::kernel::ifPresent(ImplicitLocOpBuilder &b, Value offset,
                                    function_ref<void()> there,
                                    function_ref<void()> absent) {
  Value isThere = arith::CmpIOp::create(b, arith::CmpIPredicate::sge, offset,
                                        arith::ConstantIndexOp::create(b, 0));
  auto region = [&b](function_ref<void()> body) {
    return [&b, body](OpBuilder &, Location) {
      body();
      scf::YieldOp::create(b);
    };
  };
  if (absent)
    scf::IfOp::create(b, isThere, region(there), region(absent));
  else
    scf::IfOp::create(b, isThere, region(there));
}
