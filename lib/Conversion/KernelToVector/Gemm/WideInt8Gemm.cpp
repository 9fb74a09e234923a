//===- WideInt8Gemm.cpp - int8 matmuls in 16-bit integers -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Without an instruction for dot products of int8, an instruction multiplies
// 16-bit integers and accumulates the products in 32 bits. The weights keep
// their bytes: two terms r and r' of a column form one 16-bit integer, h = 256
// r' + r + 128. h shifted right by 8 is r'. The following identity saves
// extracting r: with the integers q and q' of a row,
//
//   q h + (q' - 256 q) r' = q r + q' r' + 128 q.
//
// A word of a row holds q and q' - 256 q, which fit 16 bits as q and q' are
// from -127 to 127. The accumulators start with the correction, the negative
// sum of 128 q. A panel row stores the first halves of all words before the
// second halves, as two planes: one shift extracts r' of neighbouring columns,
// once for all rows of a tile.
//
//===----------------------------------------------------------------------===//

#include "IntegerGemm.h"

#include <array>

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::kernel;

/// h - (256 r' + r).
static constexpr int32_t kOffset = 128;
/// Pairs of terms in a word of the weights: one in each plane. A word of a row
/// holds one pair.
static constexpr int64_t kPairs = 2;

namespace {
class WideInt8GemmEmitter : public IntegerGemmEmitter {
public:
  using IntegerGemmEmitter::IntegerGemmEmitter;

protected:
  float getSteps() const override { return kInt8Steps; }
  Type getRowType() override { return b.getI16Type(); }
  /// Shifts q to -127, ..., 127.
  Shift getShift() const override { return {128.0f, -1}; }
  void convertRow(Value row, Value place) override;
  Value beginSum(const Panel &panel, Value row, int64_t i, int64_t v) override;
  void addColumn(Panels panels, const GemmInput &part, Value k,
                 ArrayRef<Value> places, SmallVectorImpl<Value> &sums,
                 const Ahead &) override;
  void addLanes(Panels panels, const GemmInput &part, Value k,
                ArrayRef<Value> places, SmallVectorImpl<Value> &sums,
                const Ahead &) override;

private:
  /// For each row, both numbers of one word, broadcast to all lanes.
  using Elements = std::array<SmallVector<Value>, 2>;
  /// Multiplies pair `pair` of row `word` of the panels with `elements` and
  /// adds the results to `sums`.
  void addPair(Panels panels, Value word, int64_t pair,
               const Elements &elements, SmallVectorImpl<Value> &sums);
  /// Broadcasts number `i` of the word of a row at offset `place`.
  Value loadNumber(Value place, int64_t i);
  /// Extracts q from each word of a vector with `columns` columns of a row; the
  /// lanes after them are zero.
  Value getFirstNumbers(Value words, int64_t columns);
  Value shift(Value words, int64_t bits) {
    return arith::ShLIOp::create(
        b, words, splatInteger(cast<VectorType>(words.getType()), bits));
  }
  Value widen(Value terms) {
    return arith::ExtSIOp::create(b, vectorType.clone(getI32()), terms);
  }
  VectorType getTermType() { return vectorType.clone(b.getI16Type()); }
};
} // namespace

Value WideInt8GemmEmitter::getFirstNumbers(Value words, int64_t columns) {
  auto type = cast<VectorType>(words.getType());
  Value first =
      arith::ShRSIOp::create(b, shift(words, 16), splatInteger(type, 16));
  if (columns == rowLength)
    return first;
  SmallVector<int32_t> isTerm;
  for (int64_t column = 0; column < rowLength; column += 2)
    isTerm.push_back(column < columns);
  return arith::MulIOp::create(
      b, first,
      arith::ConstantOp::create(
          b, type, DenseElementsAttr::get(type, ArrayRef<int32_t>(isTerm))));
}

void WideInt8GemmEmitter::convertRow(Value row, Value place) {
  Scaling scaling = scaleRow(row);
  auto wordType = VectorType::get({rowLength / 2}, getI32());
  Value sum =
      storeRow(
          row, place,
          [&](Value x, int64_t columns, SmallVectorImpl<Value> &carried) {
            Value words =
                bitcast(arith::TruncIOp::create(b, rowType.clone(getRowType()),
                                                toIntegers(x, scaling)),
                        getI32());
            carried[0] = arith::AddIOp::create(b, carried[0],
                                               getFirstNumbers(words, columns));
            // Subtracts 256 times the lower half from the upper half.
            return Value(arith::SubIOp::create(b, words, shift(words, 24)));
          },
          createZero(wordType))
          .front();
  Value number = arith::MulIOp::create(
      b, vector::ReductionOp::create(b, vector::CombiningKind::ADD, sum),
      arith::ConstantIntOp::create(b, getI32(), -kOffset));
  memref::StoreOp::create(b, arith::BitcastOp::create(b, getF32(), number),
                          arena, getRowNumberPlace(row, 2));
}

Value WideInt8GemmEmitter::beginSum(const Panel &panel, Value row, int64_t i,
                                    int64_t v) {
  Value number = loadRowNumber(2, row, i);
  return arith::AddIOp::create(b,
                               IntegerGemmEmitter::beginSum(panel, row, i, v),
                               bitcast(number, getI32()));
}

void WideInt8GemmEmitter::addPair(Panels panels, Value word, int64_t pair,
                                  const Elements &elements,
                                  SmallVectorImpl<Value> &sums) {
  const int64_t width = shape.tile.getPanelWidth(target);
  std::array<SmallVector<Value>, 2> columns;
  for (const Panel &panel : panels) {
    Value place =
        addIndex(b, addIndex(b, panel.weights, mulIndex(b, word, width)),
                 pair * width / kPairs);
    for (int64_t v = 0; v < getVectors(panel); ++v) {
      Value both = loadPlane(panel, place, v);
      Value eight = arith::ConstantOp::create(
          b, getTermType(),
          DenseElementsAttr::get(getTermType(), APInt(16, 8)));
      columns[0].push_back(both);
      columns[1].push_back(arith::ShRSIOp::create(b, both, eight));
    }
  }
  for (int64_t i = 0; i < 2; ++i) {
    auto *sum = sums.begin();
    for (Value element : elements[i])
      for (Value column : columns[i]) {
        Value product = arith::MulIOp::create(b, widen(element), widen(column));
        *sum = arith::AddIOp::create(b, *sum, product);
        ++sum;
      }
  }
}

Value WideInt8GemmEmitter::loadNumber(Value place, int64_t i) {
  Value word = arith::BitcastOp::create(
      b, getI32(), memref::LoadOp::create(b, arena, place));
  if (i)
    word = arith::ShRUIOp::create(
        b, word, arith::ConstantIntOp::create(b, getI32(), 16));
  return vector::BroadcastOp::create(
      b, getTermType(), arith::TruncIOp::create(b, b.getI16Type(), word));
}

void WideInt8GemmEmitter::addColumn(Panels panels, const GemmInput &part,
                                    Value k, ArrayRef<Value> places,
                                    SmallVectorImpl<Value> &sums,
                                    const Ahead &) {
  Value column = mulIndex(b, k, kPairs);
  for (int64_t pair = 0; pair < kPairs; ++pair) {
    Elements elements;
    for (Value place : places)
      for (int64_t i = 0; i < 2; ++i)
        elements[i].push_back(
            loadNumber(addIndex(b, addIndex(b, place, column), pair), i));
    addPair(panels, addIndex(b, k, part.first), pair, elements, sums);
  }
}

void WideInt8GemmEmitter::addLanes(Panels panels, const GemmInput &part,
                                   Value k, ArrayRef<Value> places,
                                   SmallVectorImpl<Value> &sums,
                                   const Ahead &) {
  Value column = mulIndex(b, k, kPairs);
  auto type = VectorType::get({target.getRowLanes()}, getF32());
  SmallVector<Value> rows = llvm::map_to_vector(places, [&](Value place) {
    return bitcast(
        vector::LoadOp::create(b, type, arena, addIndex(b, place, column)),
        b.getI16Type());
  });
  for (int64_t pair = 0; pair < target.getRowLanes(); ++pair) {
    Elements elements;
    for (Value row : rows)
      for (int64_t i = 0; i < 2; ++i)
        elements[i].push_back(vector::ShuffleOp::create(
            b, row, row, SmallVector<int64_t>(length, 2 * pair + i)));
    addPair(panels, addIndex(b, k, part.first + pair / kPairs), pair % kPairs,
            elements, sums);
  }
}

std::unique_ptr<GemmEmitter>
kernel::createWideInt8GemmEmitter(const GemmOperands &operands,
                                  TargetAttr target,
                                  const ImplicitLocOpBuilder &b) {
  return std::make_unique<WideInt8GemmEmitter>(operands, target, b);
}
