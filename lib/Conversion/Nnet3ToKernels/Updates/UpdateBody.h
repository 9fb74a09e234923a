//===- UpdateBody.h - Bodies of training-step kernels -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_NNET3TOKERNELS_UPDATES_UPDATEBODY_H
#define NNET3_CONVERSION_NNET3TOKERNELS_UPDATES_UPDATEBODY_H

#include "nnet3/Arithmetic/DoubleMemory.h"
#include "nnet3/Conversion/KernelToVector/BuilderUtils.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"

namespace mlir::nnet3 {

/// Blocks of most training-step kernels, and partial sums of a reduction.
inline constexpr int64_t kUpdateBlocks = 128;
/// Threads per block.
inline constexpr int64_t kUpdateThreads = 256;
/// Blocks of the Gram matrix kernel: for 80 rows each computes 13 elements.
inline constexpr int64_t kGramBlocks = 512;

/// Number of arguments of these kernels before the index arguments: arena,
/// weights, row tables, context.
inline constexpr unsigned kFirstPlace = 4;

/// The body of one kernel.
class UpdateBody {
public:
  UpdateBody(OpBuilder &builder, func::FuncOp function, int64_t numBlocks)
      : builder(function.getLoc(), builder), function(function),
        numBlocks(numBlocks) {}

  /// Calls `body` for the number of each block of threads.
  void forEachBlock(function_ref<void()> body) {
    parallelFor(builder, numBlocks, [&](ValueRange at) {
      block = at[0];
      body();
    });
  }

  Value getPlace(unsigned number) {
    return function.getArgument(kFirstPlace + number);
  }
  /// Returns the f32 whose bits are index argument `number`.
  Value getNumber(unsigned number) {
    Value bits = arith::IndexCastOp::create(builder, builder.getI32Type(),
                                            getPlace(number));
    return arith::BitcastOp::create(builder, builder.getF32Type(), bits);
  }

  /// Returns the f64 whose bits are index argument `number`.
  Value getReal(unsigned number) {
    Value bits = arith::IndexCastOp::create(builder, builder.getI64Type(),
                                            getPlace(number));
    return arith::BitcastOp::create(builder, builder.getF64Type(), bits);
  }
  Value loadReal(bool from, Value place) {
    return loadDouble({builder, builder.getLoc()}, function.getArgument(from),
                      place);
  }
  void storeReal(Value element, Value place) {
    storeDouble({builder, builder.getLoc()}, element, function.getArgument(0),
                place);
  }

  Value load(bool from, Value place) {
    return memref::LoadOp::create(builder, function.getArgument(from), place);
  }
  void store(Value element, Value place) {
    memref::StoreOp::create(builder, element, function.getArgument(0), place);
  }

  /// Calls `body` for the block's share of `count` elements.
  void forEach(Value count, function_ref<void(Value)> body) {
    auto [begin, end] = getRange(count);
    parallelFor(builder, begin, end, [&](ValueRange at) { body(at[0]); });
  }
  /// Calls `body` for the block's share of a matrix, by row and column.
  void forEach(Value rows, Value columns,
               function_ref<void(Value, Value)> body) {
    const Elements elements(*this, rows, columns);
    parallelFor(builder, elements.begin, elements.end, [&](ValueRange at) {
      auto [row, column] = elements.locate(*this, at[0]);
      body(row, column);
    });
  }
  /// Reduces `body` over the block's elements and stores the result as the
  /// block's partial sum; the partial sums begin at offset `place`.
  void sum(Value count, Value place, function_ref<Value(Value)> body) {
    auto [begin, end] = getRange(count);
    storePart(reduce(begin, end, body), place);
  }
  void sum(Value rows, Value columns, Value place,
           function_ref<Value(Value, Value)> body) {
    const Elements elements(*this, rows, columns);
    Value total = reduce(elements.begin, elements.end, [&](Value i) {
      auto [row, column] = elements.locate(*this, i);
      return body(row, column);
    });
    storePart(total, place);
  }
  /// Returns the total of the partial sums that begin at offset `place`.
  Value addParts(bool from, Value place) {
    return reduce(
        arith::ConstantIndexOp::create(builder, 0),
        arith::ConstantIndexOp::create(builder, kUpdateBlocks),
        [&](Value i) { return load(from, addIndex(builder, place, i)); });
  }

  /// Returns the offset of an element of a matrix.
  Value getPlace(Value begin, Value row, Value stride, Value column) {
    return addIndex(builder, begin,
                    addIndex(builder, mulIndex(builder, row, stride), column));
  }
  Value multiply(Value a, Value b) {
    return arith::MulFOp::create(builder, a, b);
  }
  Value add(Value a, Value b) { return arith::AddFOp::create(builder, a, b); }
  Value fma(Value a, Value b, Value c) {
    return math::FmaOp::create(builder, a, b, c);
  }
  Value number(float value) {
    return arith::ConstantOp::create(builder, builder.getF32FloatAttr(value));
  }
  Value compare(arith::CmpFPredicate predicate, Value a, float b) {
    return arith::CmpFOp::create(builder, predicate, a, number(b));
  }
  Value select(Value condition, Value yes, Value no) {
    return arith::SelectOp::create(builder, condition, yes, no);
  }

  /// Largest number of elements per block, of `count`.
  Value getShare(Value count) {
    return divIndex(builder, addIndex(builder, count, numBlocks - 1),
                    numBlocks);
  }
  /// Returns the block's range of `count` elements.
  std::pair<Value, Value> getRange(Value count) {
    Value share = getShare(count);
    Value begin = mulIndex(builder, block, share);
    return {begin, arith::MinSIOp::create(
                       builder, addIndex(builder, begin, share), count)};
  }

  ImplicitLocOpBuilder builder;

private:
  /// The block's share of the elements of a matrix in row-major order. There
  /// are fewer than 2^32 elements, so distances from the first one are 32-bit:
  /// a device divides longer integers by calling a function.
  struct Elements {
    Elements(UpdateBody &b, Value rows, Value columns);
    std::pair<Value, Value> locate(UpdateBody &b, Value i) const;

    Value begin, end;
    Value row, column, columns; ///< of the first one; the last two are i32
  };

  void storePart(Value total, Value place) {
    parallelFor(builder, 1, [&](ValueRange) {
      store(total, addIndex(builder, place, block));
    });
  }
  Value reduce(Value begin, Value end, function_ref<Value(Value)> body);

  func::FuncOp function;
  int64_t numBlocks;
  Value block;
};

/// Creates the body of `update_gram` for one block of threads: X X^T in double
/// precision, each element stored as the nearest float followed by the
/// remainder. Arguments: y, x, rows, columns.
void emitGram(UpdateBody &b);

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_NNET3TOKERNELS_UPDATES_UPDATEBODY_H
