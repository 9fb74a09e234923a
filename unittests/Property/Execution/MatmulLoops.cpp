//===- MatmulLoops.cpp - kernel.matmul without a device's library ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MatmulLoops.h"

#include "nnet3/Conversion/KernelToVector/RowAddresses.h"
#include "nnet3/Dialect/Kernel/IR/KernelDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::kernel;

namespace {

/// A factor or the result: memory, and the distances of batches, of rows and of
/// columns, in numbers.
struct Matrices {
  Value memory, first;
  int64_t batch, row;
};

class MatmulEmitter {
public:
  MatmulEmitter(MatmulOp op, OpBuilder &builder)
      : op(op), e(builder, op.getLoc(), /*scalars=*/true) {}

  LogicalResult initialize();
  void emit();

private:
  FailureOr<Matrices> getMatrices(Value view, int64_t numbers);
  Value load(const Matrices &from, Value place);
  Value loadHalf(const Matrices &from, Value place);
  void emitElement(Value batch, Value row, Value column);

  MatmulOp op;
  VectorEmitter e;
  Matrices weights, input, output;
  Value bias;
};

struct MatmulLowering : public OpRewritePattern<MatmulOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(MatmulOp op,
                                PatternRewriter &rewriter) const override {
    MatmulEmitter emitter(op, rewriter);
    if (failed(emitter.initialize()))
      return failure();
    emitter.emit();
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

/// Of a single batch the distance is 0.
FailureOr<Matrices> MatmulEmitter::getMatrices(Value view, int64_t numbers) {
  auto rows = RowAddresses::get(e, op, view);
  if (failed(rows))
    return failure();
  auto type = cast<MemRefType>(view.getType());
  auto strides = type.getStridesAndOffset().first;
  const bool hasBatches = type.getRank() == 3 && type.getDimSize(0) > 1;
  return Matrices{rows->getMemory(), rows->getFirst(e),
                  hasBatches ? strides[0] * numbers : 0,
                  strides[strides.size() - 2] * numbers};
}

LogicalResult MatmulEmitter::initialize() {
  const int64_t numbers = getNumbersPerWord(op.getPrecision());
  auto w = getMatrices(op.getWeights(), numbers);
  auto x = getMatrices(op.getInput(), numbers);
  auto y = getMatrices(op.getOutput(), /*numbers=*/1);
  if (failed(w) || failed(x) || failed(y))
    return failure();
  weights = *w;
  input = *x;
  output = *y;
  if (!op.getBias())
    return success();
  auto rows = RowAddresses::get(e, op, op.getBias());
  if (failed(rows))
    return failure();
  bias = rows->getFirst(e);
  return success();
}

/// Number `place` of 16 bits.
Value MatmulEmitter::loadHalf(const Matrices &from, Value place) {
  OpBuilder &builder = e.getBuilder();
  Location loc = e.getLoc();
  Type i32 = builder.getI32Type();
  Value word = arith::BitcastOp::create(
      builder, loc, i32,
      e.loadScalar(from.memory, e.add(from.first, e.divide(place, 2))));
  Value shift = arith::IndexCastOp::create(builder, loc, i32,
                                           e.mul(e.remainder(place, 2), 16));
  Value half = arith::TruncIOp::create(
      builder, loc, builder.getI16Type(),
      arith::ShRUIOp::create(builder, loc, word, shift));
  Type type = op.getPrecision() == Precision::FP16
                  ? Type(builder.getF16Type())
                  : Type(builder.getBF16Type());
  return arith::ExtFOp::create(
      builder, loc, builder.getF32Type(),
      arith::BitcastOp::create(builder, loc, type, half),
      arith::FastMathFlagsAttr());
}

Value MatmulEmitter::load(const Matrices &from, Value place) {
  return hasHalves(op.getPrecision())
             ? loadHalf(from, place)
             : e.loadScalar(from.memory, e.add(from.first, place));
}

void MatmulEmitter::emitElement(Value batch, Value row, Value column) {
  OpBuilder &builder = e.getBuilder();
  Location loc = e.getLoc();
  const MatmulFactors factors = op.getFactors();
  Value begin = e.mul(batch, input.batch);
  Value to = e.add(e.add(output.first, e.mul(batch, output.batch)),
                   e.add(e.mul(row, output.row), column));
  // Term k of a row of the sums.
  auto inX = [&](Value k) {
    return factors == MatmulFactors::TN
               ? e.add(begin, e.add(e.mul(k, input.row), row))
               : e.add(begin, e.add(e.mul(row, input.row), k));
  };
  auto inW = [&](Value k) {
    return factors == MatmulFactors::NT ? e.add(e.mul(column, weights.row), k)
                                        : e.add(e.mul(k, weights.row), column);
  };
  Value sum =
      e.loop(e.index(0), e.index(op.getDepth()), 1, e.splat(1, 0),
             [&](Value k, ValueRange before) -> SmallVector<Value> {
               Value product = arith::MulFOp::create(
                   builder, loc, load(input, inX(k)), load(weights, inW(k)));
               return {arith::AddFOp::create(builder, loc, before[0], product)};
             })[0];
  auto add = [&](Value addend) {
    sum = arith::AddFOp::create(builder, loc, sum, addend);
  };
  if (!op.getBeta().isZero())
    add(arith::MulFOp::create(builder, loc, e.loadScalar(output.memory, to),
                              e.splat(1, op.getBeta().convertToFloat())));
  if (bias)
    add(e.loadScalar(weights.memory, e.add(bias, column)));
  e.store(sum, output.memory, to);
}

void MatmulEmitter::emit() {
  ArrayRef<int64_t> shape = op.getOutput().getType().getShape();
  Value zero = e.index(0);
  e.parallel({zero, zero, zero},
             {e.index(shape[0]), e.index(shape[1]), e.index(shape[2])},
             [&](ValueRange at) { emitElement(at[0], at[1], at[2]); });
}

void mlir::nnet3::property::MatmulLoops::runOnOperation() {
  RewritePatternSet patterns(&getContext());
  patterns.add<MatmulLowering>(&getContext());
  walkAndApplyPatterns(getOperation(), std::move(patterns));
}
