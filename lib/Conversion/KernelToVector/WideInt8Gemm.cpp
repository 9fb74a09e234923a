//===- WideInt8Gemm.cpp - Products of integers of 16 bits -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Without an instruction for dot products of int8: both factors become integers
// of 16 bits, and an instruction multiplies these and adds the products to sums
// of 32 bits. A converted row has two of them in a word. The weights keep their
// bytes. In a row of a panel, the first bytes of all words stand in front of
// the second ones and so on, each as a plane: a plane has one term of
// neighbouring columns, which become wider together, for all rows of a tile.
//
//===----------------------------------------------------------------------===//

#include "Int8Gemm.h"

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::kernel;

/// Terms in a word of the weights, and in one of a row.
static constexpr int64_t kPlanes = 4, kRowTerms = 2;

namespace {
class WideInt8GemmEmitter : public Int8GemmEmitter {
public:
  using Int8GemmEmitter::Int8GemmEmitter;

protected:
  void addColumn(Panels panels, const GemmInput &part, Value k,
                 ArrayRef<Value> places, SmallVectorImpl<Value> &sums,
                 const Ahead &) override;
  void addLanes(Panels panels, const GemmInput &part, Value k,
                ArrayRef<Value> places, SmallVectorImpl<Value> &sums,
                const Ahead &) override;

private:
  /// Adds the products of a plane of row `word` of the panels with `elements`,
  /// one of each row in all lanes.
  void addPlane(Panels panels, Value word, int64_t plane,
                ArrayRef<Value> elements, SmallVectorImpl<Value> &sums);
  /// Term `i` of a word of the row at `place`.
  Value loadTerm(Value place, int64_t i);
  Value widen(Value terms) {
    return arith::ExtSIOp::create(b, vectorType.clone(getI32()), terms);
  }
  VectorType getTermType() { return vectorType.clone(b.getI16Type()); }
};
} // namespace

void WideInt8GemmEmitter::addPlane(Panels panels, Value word, int64_t plane,
                                   ArrayRef<Value> elements,
                                   SmallVectorImpl<Value> &sums) {
  const int64_t width = shape.tile.getPanelWidth(target);
  SmallVector<Value> columns;
  for (const Panel &panel : panels) {
    Value place =
        addIndex(b, addIndex(b, panel.weights, mulIndex(b, word, width)),
                 plane * width / kPlanes);
    for (int64_t v = 0; v < getVectors(panel); ++v)
      columns.push_back(
          arith::ExtSIOp::create(b, getTermType(), loadPlane(panel, place, v)));
  }
  auto *sum = sums.begin();
  for (Value element : elements)
    for (Value column : columns) {
      Value product = arith::MulIOp::create(b, widen(element), widen(column));
      *sum = arith::AddIOp::create(b, *sum, product);
      ++sum;
    }
}

Value WideInt8GemmEmitter::loadTerm(Value place, int64_t i) {
  Value word = arith::BitcastOp::create(
      b, getI32(),
      memref::LoadOp::create(b, arena, addIndex(b, place, i / kRowTerms)));
  if (i % kRowTerms)
    word = arith::ShRUIOp::create(
        b, word, arith::ConstantIntOp::create(b, getI32(), 16));
  return arith::TruncIOp::create(b, b.getI16Type(), word);
}

void WideInt8GemmEmitter::addColumn(Panels panels, const GemmInput &part,
                                    Value k, ArrayRef<Value> places,
                                    SmallVectorImpl<Value> &sums,
                                    const Ahead &) {
  Value column = mulIndex(b, k, shape.getWordsPerWord());
  for (int64_t plane = 0; plane < kPlanes; ++plane)
    addPlane(
        panels, addIndex(b, k, part.first), plane,
        llvm::map_to_vector(places,
                            [&](Value place) -> Value {
                              return vector::BroadcastOp::create(
                                  b, getTermType(),
                                  loadTerm(addIndex(b, place, column), plane));
                            }),
        sums);
}

void WideInt8GemmEmitter::addLanes(Panels panels, const GemmInput &part,
                                   Value k, ArrayRef<Value> places,
                                   SmallVectorImpl<Value> &sums,
                                   const Ahead &) {
  Value column = mulIndex(b, k, shape.getWordsPerWord());
  auto type = VectorType::get({target.getRowLanes()}, getF32());
  SmallVector<Value> rows = llvm::map_to_vector(places, [&](Value place) {
    return bitcast(
        vector::LoadOp::create(b, type, arena, addIndex(b, place, column)),
        b.getI16Type());
  });
  for (int64_t lane = 0; lane < kRowTerms * target.getRowLanes(); ++lane)
    addPlane(panels, addIndex(b, k, part.first + lane / kPlanes),
             lane % kPlanes,
             llvm::map_to_vector(rows,
                                 [&](Value row) -> Value {
                                   return vector::ShuffleOp::create(
                                       b, row, row,
                                       SmallVector<int64_t>(length, lane));
                                 }),
             sums);
}

std::unique_ptr<GemmEmitter>
kernel::createWideInt8GemmEmitter(const GemmOperands &operands,
                                  TargetAttr target,
                                  const ImplicitLocOpBuilder &b) {
  return std::make_unique<WideInt8GemmEmitter>(operands, target, b);
}
