//===- MatmulLoops.cpp - kernel.matmul without cuBLAS ---------------------===//
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

/// An operand or the result: its memory, and the strides of batches, rows and
/// columns in elements.
struct Matrices {
  Value memory, first;
  int64_t batch, row;
};

class MatmulEmitter {
public:
  MatmulEmitter(MatmulOp op, OpBuilder &builder)
      : op(op), b(op.getLoc(), builder) {}

  LogicalResult initialize();
  void emit();

private:
  FailureOr<Matrices> getMatrices(Value view, int64_t numbers);
  Value load(const Matrices &from, Value place);
  Value loadHalf(const Matrices &from, Value place);
  void emitElement(Value batch, Value row, Value column);

  MatmulOp op;
  ImplicitLocOpBuilder b;
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

/// Returns the addresses of an operand; the stride of a single batch is 0.
FailureOr<Matrices> MatmulEmitter::getMatrices(Value view, int64_t numbers) {
  auto rows = RowAddresses::get(b, op, view);
  if (failed(rows))
    return failure();
  auto type = cast<MemRefType>(view.getType());
  auto strides = type.getStridesAndOffset().first;
  const bool hasBatches = type.getRank() == 3 && type.getDimSize(0) > 1;
  return Matrices{rows->getMemory(), rows->getFirst(b),
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
  auto rows = RowAddresses::get(b, op, op.getBias());
  if (failed(rows))
    return failure();
  bias = rows->getFirst(b);
  return success();
}

/// Loads the 16-bit element at index `place`.
Value MatmulEmitter::loadHalf(const Matrices &from, Value place) {
  Type i32 = b.getI32Type();
  Value word = arith::BitcastOp::create(
      b, i32,
      memref::LoadOp::create(b, from.memory,
                             addIndex(b, from.first, divIndex(b, place, 2))));
  Value shift = arith::IndexCastOp::create(
      b, i32, mulIndex(b, remIndex(b, place, 2), 16));
  Value half = arith::TruncIOp::create(b, b.getI16Type(),
                                       arith::ShRUIOp::create(b, word, shift));
  Type type = op.getPrecision() == Precision::FP16 ? Type(b.getF16Type())
                                                   : Type(b.getBF16Type());
  return arith::ExtFOp::create(b, b.getF32Type(),
                               arith::BitcastOp::create(b, type, half),
                               arith::FastMathFlagsAttr());
}

Value MatmulEmitter::load(const Matrices &from, Value place) {
  return hasHalves(op.getPrecision())
             ? loadHalf(from, place)
             : Value(memref::LoadOp::create(b, from.memory,
                                            addIndex(b, from.first, place)));
}

void MatmulEmitter::emitElement(Value batch, Value row, Value column) {
  const MatmulFactors factors = op.getFactors();
  Value begin = mulIndex(b, batch, input.batch);
  Value to =
      addIndex(b, addIndex(b, output.first, mulIndex(b, batch, output.batch)),
               addIndex(b, mulIndex(b, row, output.row), column));
  // Term k of a row of the sums.
  auto inX = [&](Value k) {
    return factors == MatmulFactors::TN
               ? addIndex(b, begin, addIndex(b, mulIndex(b, k, input.row), row))
               : addIndex(b, begin,
                          addIndex(b, mulIndex(b, row, input.row), k));
  };
  auto inW = [&](Value k) {
    return factors == MatmulFactors::NT
               ? addIndex(b, mulIndex(b, column, weights.row), k)
               : addIndex(b, mulIndex(b, k, weights.row), column);
  };
  Value zero = arith::ConstantOp::create(b, b.getF32FloatAttr(0));
  auto loop = scf::ForOp::create(
      b, arith::ConstantIndexOp::create(b, 0),
      arith::ConstantIndexOp::create(b, op.getDepth()),
      arith::ConstantIndexOp::create(b, 1), zero,
      [&](OpBuilder &, Location, Value k, ValueRange before) {
        Value product = arith::MulFOp::create(b, load(input, inX(k)),
                                              load(weights, inW(k)));
        Value sum = arith::AddFOp::create(b, before[0], product);
        scf::YieldOp::create(b, sum);
      });
  Value sum = loop.getResult(0);
  auto add = [&](Value addend) { sum = arith::AddFOp::create(b, sum, addend); };
  if (!op.getBeta().isZero())
    add(arith::MulFOp::create(
        b, memref::LoadOp::create(b, output.memory, to),
        arith::ConstantOp::create(
            b, b.getF32FloatAttr(op.getBeta().convertToFloat()))));
  if (bias)
    add(memref::LoadOp::create(b, weights.memory, addIndex(b, bias, column)));
  memref::StoreOp::create(b, sum, output.memory, to);
}

void MatmulEmitter::emit() {
  ArrayRef<int64_t> shape = op.getOutput().getType().getShape();
  parallelFor(b, shape,
              [&](ValueRange at) { emitElement(at[0], at[1], at[2]); });
}

void mlir::nnet3::property::MatmulLoops::runOnOperation() {
  RewritePatternSet patterns(&getContext());
  patterns.add<MatmulLowering>(&getContext());
  walkAndApplyPatterns(getOperation(), std::move(patterns));
}
