//===- GemmStrips.cpp - Columns of a matmul in vectors --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With scalable vectors, a panel is processed in strips: the neighbouring
// columns that a tile's vectors cover. If the vector length divides that of the
// panel's vectors, as 128, 256 and 512 bits do, vectors are full and whole
// strips need no masks. With longer vectors, a strip uses the first lanes only.
//
//===----------------------------------------------------------------------===//

#include "GemmEmitter.h"

#include "nnet3/Conversion/KernelToVector/Lanes.h"

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::kernel;

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

Value GemmEmitter::addVectors(Value place, int64_t v, int64_t columns) {
  if (!target.isScalable())
    return addIndex(b, place, columns + v * length);
  place = addIndex(b, place, columns);
  return v == 0 ? place : addIndex(b, place, mulIndex(b, vectorColumns, v));
}

Value GemmEmitter::getDistance(const Panel &panel, Value v) {
  if (!target.isScalable())
    return addIndex(b, mulIndex(b, v, length),
                    shape.tile.getPanelWidth(target) * shape.depth);
  Panel next = getStrip(addVectors(panel.column, shape.getTileVectors()));
  return arith::SubIOp::create(
      b, addIndex(b, next.weights, mulIndex(b, v, vectorColumns)),
      panel.weights);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

Value GemmEmitter::loadWhole(const Panel &panel, Value memory, Value place,
                             int64_t v) {
  Value at = addVectors(place, v);
  if (panel.masks.empty())
    return vector::LoadOp::create(b, vectorType, memory, at);
  return vector::MaskedLoadOp::create(b, vectorType, memory, at, panel.masks[v],
                                      createZero(vectorType));
}

Value GemmEmitter::loadPlane(const Panel &panel, Value place, int64_t v) {
  auto type = VectorType::get({vectorType.getDimSize(0) / kPlanes},
                              b.getF32Type(), vectorType.getScalableDims());
  Value words;
  if (!target.isScalable()) {
    words = vector::LoadOp::create(b, type, weights,
                                   addIndex(b, place, v * length / kPlanes));
  } else {
    Value count = divIndex(b, vectorColumns, kPlanes);
    place = addIndex(b, place, mulIndex(b, count, v));
    words = panel.masks.empty()
                ? Value(vector::LoadOp::create(b, type, weights, place))
                : vector::MaskedLoadOp::create(b, type, weights, place,
                                               createMask(b, type, count),
                                               createZero(type));
  }
  return vector::BitCastOp::create(b, vectorType.clone(b.getI16Type()), words);
}

Value GemmEmitter::loadPanelPart(const Panel &panel, Value memory, Value place,
                                 int64_t v) {
  if (!target.isScalable())
    return loadPart(vectorType, memory, place, getColumns(panel, v));
  if (panel.masks.empty())
    return vector::LoadOp::create(b, vectorType, memory, place);
  return vector::MaskedLoadOp::create(b, vectorType, memory, place,
                                      panel.masks[v], createZero(vectorType));
}

void GemmEmitter::storePanelPart(const Panel &panel, Value sum, Value place,
                                 int64_t v) {
  if (!panel.masks.empty()) {
    vector::MaskedStoreOp::create(b, arena, place, panel.masks[v], sum);
    return;
  }
  if (const int64_t columns = getColumns(panel, v); columns != length)
    sum = vector::ExtractStridedSliceOp::create(b, sum, ArrayRef<int64_t>{0},
                                                ArrayRef<int64_t>{columns},
                                                ArrayRef<int64_t>{1});
  vector::StoreOp::create(b, sum, arena, place);
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

GemmEmitter::Panel GemmEmitter::getStrip(Value column) {
  const int64_t width = shape.tile.getPanelWidth(target);
  Value number = divIndex(b, column, width);
  Value first = addIndex(b, column, mulIndex(b, number, -width));
  // With separate planes, a word holds several columns.
  if (target.hasPlanes(shape.precision))
    first = divIndex(b, first, kPlanes);
  Value panel =
      addIndex(b, operands.panels, mulIndex(b, number, width * shape.depth));
  return {column, addIndex(b, panel, first), shape.getTileVectors() * length};
}

SmallVector<Value> GemmEmitter::createMasks(Value column) {
  Value end = arith::ConstantIndexOp::create(b, shape.columns);
  return llvm::map_to_vector(
      llvm::seq(shape.getTileVectors()), [&](int64_t v) -> Value {
        Value rest = arith::SubIOp::create(b, end, addVectors(column, v));
        return createMask(b, vectorType,
                          arith::MinSIOp::create(b, rest, vectorColumns));
      });
}

void GemmEmitter::emitStrips(int64_t together,
                             function_ref<void(Panels)> body) {
  Value zero = arith::ConstantIndexOp::create(b, 0);
  Value end = arith::ConstantIndexOp::create(b, shape.columns);
  Value length = createLength(b, vectorType);
  // The largest power of two that divides the length, at most the length of a
  // panel's vectors.
  Value usable = arith::MinUIOp::create(
      b,
      arith::AndIOp::create(b, length, arith::SubIOp::create(b, zero, length)),
      arith::ConstantIndexOp::create(b, target.getPanelVectorLength() *
                                            shape.getRegistersPerVector()));
  vectorColumns = length;
  Value group = mulIndex(b, length, together * shape.getTileVectors());
  Value isFull =
      arith::CmpIOp::create(b, arith::CmpIPredicate::eq, length, usable);
  Value whole = arith::SelectOp::create(
      b, isFull,
      arith::SubIOp::create(b, end, arith::RemUIOp::create(b, end, group)),
      zero);
  forEachStep(b, zero, whole, group, [&](Value column) {
    body(llvm::map_to_vector(llvm::seq(together), [&](int64_t i) {
      return getStrip(addVectors(column, i * shape.getTileVectors()));
    }));
  });

  vectorColumns = usable;
  Value strip = mulIndex(b, usable, shape.getTileVectors());
  forEachStep(b, whole, end, strip, [&](Value column) {
    Panel rest = getStrip(column);
    rest.masks = createMasks(column);
    body(rest);
  });
}
