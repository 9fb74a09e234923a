//===- GemvLowering.cpp - kernel.gemv as loops of threads -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each sum is a row of the weights, whose columns the threads of a warp read
// side by side, times the only row of the input. All that threads load is asked
// for before they wait for any of it.
//
//===----------------------------------------------------------------------===//

#include "Lowerings.h"

#include "nnet3/Conversion/KernelToThreads/DeviceLoops.h"
#include "nnet3/Conversion/KernelToVector/RowAddresses.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::kernel;

/// The most columns that a thread multiplies at once.
static constexpr int64_t kWidth = 4;
/// So many elements of a row each thread of a warp multiplies at most: for
/// longer ones, a block shares them.
static constexpr int64_t kMostOfThread = 16;

namespace {

struct GemvLowering : public OpRewritePattern<GemvOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(GemvOp op,
                                PatternRewriter &rewriter) const override;
};

/// Emits the loops of one operation.
class GemvEmitter {
public:
  GemvEmitter(GemvOp op, OpBuilder &builder)
      : op(op), e(builder, op.getLoc(), /*scalars=*/true, /*aligned=*/true),
        width(op.getAlignment() % kWidth == 0 ? kWidth : 1) {}

  LogicalResult initialize();
  void emit();
  /// Notes in `function` who computes each column.
  void setTeams(func::FuncOp function);

private:
  FailureOr<SmallVector<RowAddresses>> find(ValueRange views);
  void emitColumn(Value column);
  SmallVector<Value> multiply(ArrayRef<Value> sums);
  SmallVector<Value> multiply(unsigned product, ArrayRef<Value> sums);
  void emitReady(IRMapping &values);
  Value locate(const RowAddresses &matrix, Value column) {
    return e.add(matrix.getRow(e, e.index(0)), column);
  }

  GemvOp op;
  VectorEmitter e;
  int64_t width;
  SmallVector<RowAddresses> rows, weights, inputs, outputs;
};

} // namespace

FailureOr<SmallVector<RowAddresses>> GemvEmitter::find(ValueRange views) {
  SmallVector<RowAddresses> result;
  for (Value view : views) {
    auto found = RowAddresses::get(e, op, view);
    if (failed(found))
      return failure();
    result.push_back(*found);
  }
  return result;
}

LogicalResult GemvEmitter::initialize() {
  for (auto [views, found] :
       {std::pair(ValueRange(op.getRows()), &rows),
        std::pair(ValueRange(op.getWeights()), &weights),
        std::pair(ValueRange(op.getInputs()), &inputs),
        std::pair(ValueRange(op.getOutputs()), &outputs)}) {
    auto all = find(views);
    if (failed(all))
      return failure();
    *found = *all;
  }
  return success();
}

/// The sum of the products of the elements of both.
static Value getDot(VectorEmitter &e, Value a, Value b) {
  OpBuilder &builder = e.getBuilder();
  auto vector = dyn_cast<VectorType>(a.getType());
  if (!vector)
    return arith::MulFOp::create(builder, e.getLoc(), a, b);
  Value sum;
  for (int64_t i = 0; i < vector.getNumElements(); ++i) {
    Value x = vector::ExtractOp::create(builder, e.getLoc(), a, i);
    Value y = vector::ExtractOp::create(builder, e.getLoc(), b, i);
    sum = sum ? math::FmaOp::create(builder, e.getLoc(), x, y, sum).getResult()
              : arith::MulFOp::create(builder, e.getLoc(), x, y).getResult();
  }
  return sum;
}

SmallVector<Value> GemvEmitter::multiply(unsigned product,
                                         ArrayRef<Value> sums) {
  const int64_t depth = getShape(op.getRows()[product].getType()).second;
  auto places = llvm::map_to_vector(
      sums, [&](Value sum) { return weights[product].getRow(e, sum); });
  Value input = rows[product].getRow(e, e.index(0));
  return sumOverThreads(
      e, e.index(0), e.index(depth / width), sums.size(), [&](Value k) {
        Value at = e.mul(k, width);
        Value x = e.load(width, rows[product].getMemory(), e.add(input, at));
        return llvm::map_to_vector(places, [&](Value place) {
          return getDot(
              e, e.load(width, weights[product].getMemory(), e.add(place, at)),
              x);
        });
      });
}

/// The sums with these numbers, of all products.
SmallVector<Value> GemvEmitter::multiply(ArrayRef<Value> sums) {
  SmallVector<Value> results = multiply(0, sums);
  for (unsigned i = 1; i < rows.size(); ++i)
    for (auto [result, more] : llvm::zip_equal(results, multiply(i, sums)))
      result = arith::AddFOp::create(e.getBuilder(), e.getLoc(), result, more);
  return results;
}

/// Emits the operations of the region whose operands are known and which have
/// not been emitted yet.
void GemvEmitter::emitReady(IRMapping &values) {
  for (Operation &inner : op.getBody().front().without_terminator())
    if (!values.contains(inner.getResult(0)) &&
        llvm::all_of(inner.getOperands(),
                     [&](Value operand) { return values.contains(operand); }))
      e.getBuilder().clone(inner, values);
}

void GemvEmitter::emitColumn(Value column) {
  Block &body = op.getBody().front();
  const int64_t numBlocks = op.getNumBlocks();
  IRMapping values;
  for (auto [input, argument] :
       llvm::zip_equal(inputs, body.getArguments().drop_front(numBlocks)))
    values.map(argument,
               e.loadScalar(input.getMemory(), locate(input, column)));
  emitReady(values);
  SmallVector<Value> sums;
  for (int64_t block = 0; block < numBlocks; ++block)
    sums.push_back(e.add(column, block * op.getNumColumns()));
  values.map(body.getArguments().take_front(numBlocks), multiply(sums));
  // One thread goes on.
  e.parallel(e.index(0), e.index(1), [&](ValueRange) {
    emitReady(values);
    for (auto [output, result] :
         llvm::zip_equal(outputs, body.getTerminator()->getOperands()))
      e.store(values.lookup(result), output.getMemory(),
              locate(output, column));
  });
}

void GemvEmitter::emit() {
  e.parallel(e.index(0), e.index(op.getNumColumns()),
             [&](ValueRange at) { emitColumn(at[0]); });
}

void GemvEmitter::setTeams(func::FuncOp function) {
  int64_t terms = 0;
  for (Type row : op.getRows().getTypes())
    terms = std::max(terms, getShape(row).second / width);
  if (terms <= kMostOfThread * kWarp)
    setWarps(function, op.getNumColumns());
  else
    setThreads(function, terms);
}

LogicalResult GemvLowering::matchAndRewrite(GemvOp op,
                                            PatternRewriter &rewriter) const {
  GemvEmitter emitter(op, rewriter);
  if (failed(emitter.initialize()))
    return failure();
  emitter.emit();
  emitter.setTeams(cast<func::FuncOp>(op->getParentOp()));
  rewriter.eraseOp(op);
  return success();
}

void mlir::nnet3::kernel::addGemvLowering(RewritePatternSet &patterns) {
  patterns.add<GemvLowering>(patterns.getContext());
}
