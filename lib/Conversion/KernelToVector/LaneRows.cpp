//===- LaneRows.cpp - Rows as vectors of columns --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LaneRows.h"

#include "mlir/Dialect/Math/IR/Math.h"

#include <limits>

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::kernel;

/// Dot products that are accumulated at once, each in a register.
static constexpr unsigned kDots = 8;
/// Independent accumulators of a reduction.
static constexpr int64_t kChains = 4;
/// Unroll factor of loops over single columns.
static constexpr int64_t kColumns = 4;

SmallVector<SmallVector<Value>>
LaneRows::foldVectors(int64_t count, int64_t length,
                      function_ref<SmallVector<Value>()> inits,
                      VectorBody body) {
  SmallVector<SmallVector<Value>> results;
  int64_t begin = 0;
  for (int64_t width : {length, getLength(), int64_t(1)}) {
    // The remaining columns form one vector.
    const int64_t columns =
        width == 1 ? std::max<int64_t>(count - begin, 1) : width;
    const int64_t rounds = (count - begin) / columns;
    lanes = columns;
    if (rounds == 0)
      continue;
    SmallVector<Value> values = inits();
    Value first = arith::ConstantIndexOp::create(b, begin);
    begin += rounds * columns;
    if (rounds == 1) {
      results.push_back(body(first, values));
      continue;
    }
    auto loop = scf::ForOp::create(
        b, first, arith::ConstantIndexOp::create(b, begin),
        arith::ConstantIndexOp::create(b, columns), values,
        [&](OpBuilder &, Location, Value column, ValueRange before) {
          scf::YieldOp::create(b, body(column, before));
        });
    results.push_back(loop.getResults());
  }
  lanes = 1;
  return results;
}

/// Without scalable vectors, uses as many vectors at a time as the registers
/// hold if the loop accumulates over rows (in f64, which takes twice the
/// registers): loading a row's cache line for only a few columns would waste
/// bandwidth.
void LaneRows::forEach(int64_t count, function_ref<void(Value)> body,
                       ColumnLoop loop) {
  if (loop.canScale) {
    forEachVector(b, count, target, [&](Value column, Lanes columns) {
      lanes = columns;
      body(column);
    });
    lanes = 1;
    return;
  }
  const int64_t vectors =
      loop.numSums ? std::max<int64_t>(1, target.getVectorRegisters() /
                                              (8 * loop.numSums))
                   : 1;
  foldVectors(
      count, vectors * getLength(), [] { return SmallVector<Value>(); },
      [&](Value column, ValueRange) {
        body(column);
        return SmallVector<Value>();
      });
}

/// Loops over single columns are unrolled, as a body is only an instruction or
/// two.
void LaneRows::forEachOf(int64_t blocks, int64_t count,
                         function_ref<void(Value, Value)> body,
                         ColumnLoop loop) {
  if (count == 1) {
    const int64_t whole = blocks / kColumns * kColumns;
    forEachStep(b, whole, kColumns, [&](Value first) {
      for (int64_t i = 0; i < kColumns; ++i)
        body(addIndex(b, first, i), arith::ConstantIndexOp::create(b, 0));
    });
    for (int64_t block = whole; block < blocks; ++block)
      body(arith::ConstantIndexOp::create(b, block),
           arith::ConstantIndexOp::create(b, 0));
    return;
  }
  forEachStep(b, blocks, 1, [&](Value block) {
    forEach(count, [&](Value column) { body(block, column); }, loop);
  });
}

Value LaneRows::maxOfLanes(Value elements) {
  if (!isa<VectorType>(elements.getType()))
    return elements;
  return vector::ReductionOp::create(b, vector::CombiningKind::MAXNUMF,
                                     elements, arith::FastMathFlags::reassoc);
}

/// Adds the halves of the vector until one lane is left. The order must be
/// fixed: a `vector.reduction` with reassociation would leave it to the
/// backend.
Value LaneRows::sumOfLanes(Value elements) {
  if (!isa<VectorType>(elements.getType()))
    return elements;
  auto take = [&](int64_t first, int64_t count) -> Value {
    return vector::ExtractStridedSliceOp::create(b, elements, first, count,
                                                 /*strides=*/1);
  };
  Value odd;
  int64_t count = cast<VectorType>(elements.getType()).getNumElements();
  while (count > 1) {
    if (count % 2) {
      Value last = vector::ExtractOp::create(b, elements, count - 1);
      odd = odd ? arith::AddFOp::create(b, odd, last).getResult() : last;
    }
    count /= 2;
    elements = arith::AddFOp::create(b, take(0, count), take(count, count));
  }
  Value sum = vector::ExtractOp::create(b, elements, 0);
  return odd ? arith::AddFOp::create(b, sum, odd).getResult() : sum;
}

/// Adds the vectors of the target's length that form `elements` and widens them
/// to f64: conversions cost more than additions.
Value LaneRows::foldWide(Value elements) {
  const int64_t length = getLength();
  if (lanes.getCount() <= length)
    return widen(elements);
  SmallVector<Value> parts;
  for (int64_t begin = 0; begin < lanes.getCount(); begin += length)
    parts.push_back(vector::ExtractStridedSliceOp::create(
        b, elements, begin, length, /*strides=*/1));
  for (; parts.size() > 1; parts.resize(parts.size() / 2))
    for (size_t i = 0; i < parts.size() / 2; ++i)
      parts[i] = arith::AddFOp::create(b, parts[2 * i], parts[2 * i + 1]);
  return widen(parts[0]);
}

/// Accumulates in f64, as the runtime does.
Value LaneRows::sum(int64_t count, ColumnBody body) {
  auto sums = foldVectors(
      count, kChains * getLength(),
      [&] { return SmallVector<Value>{foldWide(splat(0))}; },
      [&](Value column, ValueRange before) -> SmallVector<Value> {
        return {arith::AddFOp::create(b, before[0], foldWide(body(column)))};
      });
  Value total;
  for (ArrayRef<Value> part : sums) {
    Value sum = sumOfLanes(part[0]);
    total = total ? arith::AddFOp::create(b, total, sum).getResult() : sum;
  }
  return arith::TruncFOp::create(b, b.getF32Type(), total);
}

Value LaneRows::larger(Value x, Value y) {
  Value isLarger = arith::CmpFOp::create(b, arith::CmpFPredicate::OGT, x, y);
  return arith::SelectOp::create(b, isLarger, x, y);
}

Value LaneRows::max(int64_t count, ColumnBody body) {
  auto largest = foldVectors(
      count, kChains * getLength(),
      [&] {
        return SmallVector<Value>{
            splat(-std::numeric_limits<float>::infinity())};
      },
      [&](Value column, ValueRange before) -> SmallVector<Value> {
        return {larger(body(column), before[0])};
      });
  Value result;
  for (ArrayRef<Value> part : largest) {
    Value value = maxOfLanes(part[0]);
    result = result ? larger(value, result) : value;
  }
  return result;
}

/// Uses vectors if the range is typically long enough to pay for the final
/// reduction over lanes, then scalars for the rest.
Value LaneRows::sumRange(Value begin, Value end, int64_t typical,
                         ColumnBody body) {
  if (typical < 2 * getLength())
    return RowLowering::sumRange(begin, end, typical, body);
  Value count = arith::SubIOp::create(b, end, begin);
  Value rest = remIndex(b, count, getLength());
  Value last = arith::SubIOp::create(b, end, rest);
  lanes = getLength();
  Value sums = addColumns(begin, last, widen(splat(0)), body);
  lanes = 1;
  return arith::TruncFOp::create(b, b.getF32Type(),
                                 addColumns(last, end, sumOfLanes(sums), body));
}

SmallVector<Value>
LaneRows::dots(unsigned number, int64_t count,
               function_ref<std::pair<Value, Value>(unsigned, Value)> body) {
  SmallVector<Value> results;
  for (unsigned first = 0; first < number; first += kDots) {
    const unsigned size = std::min(kDots, number - first);
    auto parts = foldVectors(
        count, getLength(), [&] { return SmallVector<Value>(size, splat(0)); },
        [&](Value column, ValueRange before) {
          SmallVector<Value> sums;
          for (auto [i, sum] : llvm::enumerate(before)) {
            auto [x, y] = body(first + i, column);
            sums.push_back(math::FmaOp::create(b, x, y, sum));
          }
          return sums;
        });
    for (unsigned i = 0; i < size; ++i) {
      Value total = sumOfLanes(parts[0][i]);
      for (ArrayRef<Value> part : ArrayRef(parts).drop_front())
        total = arith::AddFOp::create(b, total, sumOfLanes(part[i]));
      results.push_back(total);
    }
  }
  return results;
}

/// The exponentials are one vector; the maximum is found by a tree of pairs,
/// which has fewer dependent steps than a chain.
SmallVector<Value> LaneRows::softmax(ArrayRef<Value> numbers) {
  const int64_t size = numbers.size();
  auto type = VectorType::get({size}, b.getF32Type());
  Value all = vector::FromElementsOp::create(b, type, numbers);
  SmallVector<Value> largest(numbers);
  while (largest.size() > 1) {
    for (size_t i = 0; i + 1 < largest.size(); ++i)
      largest[i] = larger(largest[i], largest.pop_back_val());
  }
  Value shifted = arith::SubFOp::create(
      b, all, vector::BroadcastOp::create(b, type, largest[0]));
  Value powers = math::ExpOp::create(b, shifted);
  Value factor = arith::DivFOp::create(
      b, arith::ConstantOp::create(b, b.getF32FloatAttr(1)),
      sumOfLanes(powers));
  Value weights = arith::MulFOp::create(
      b, powers, vector::BroadcastOp::create(b, type, factor));
  return llvm::map_to_vector(llvm::seq(size), [&](int64_t i) -> Value {
    return vector::ExtractOp::create(b, weights, i);
  });
}

/// Computes the rows part by part, so that input rows that neighbouring rows
/// share stay in the cache.
LogicalResult LaneRows::emitRows() {
  LogicalResult result = success();
  const int64_t parts = op.getParts(), threads = target.getThreads();
  forEachApart(b, parts > 1 ? threads : 1, parts, 1, [&](Value part) {
    forEachApart(b, parts > 1 ? 1 : threads,
                 op.getOutput().getType().getDimSize(0), 1,
                 [&](Value row) { result = emitRow(row, part); });
  });
  return result;
}
