//===- GemvLowering.cpp - kernel.gemv as loops of threads -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each accumulator is the dot product of a row of the weights, whose columns
// the threads of a warp read side by side, with the only row of the input. A
// thread issues all its loads before it waits for any of them.
//
//===----------------------------------------------------------------------===//

#include "Lowerings.h"

#include "nnet3/Arithmetic/ScalarArithmetic.h"
#include "nnet3/Conversion/KernelToThreads/DeviceLoops.h"
#include "nnet3/Conversion/KernelToVector/RowAddresses.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::kernel;

/// Maximum number of columns that a thread multiplies at once.
static constexpr int64_t kWidth = 4;
/// Maximum number of elements of a row per thread of a warp; a block shares
/// longer rows.
static constexpr int64_t kMostOfThread = 16;

namespace {

/// Emits the loops of one operation.
class GemvEmitter {
public:
  GemvEmitter(GemvOp op, OpBuilder &builder)
      : op(op), b(op.getLoc(), builder),
        width(op.getAlignment() % kWidth == 0 ? kWidth : 1),
        type(getVectorOrScalar(width, b.getF32Type())) {}

  LogicalResult initialize();
  void emit();
  /// Sets the block attribute of `function`: one warp or one block per column.
  void setTeams(func::FuncOp function);

private:
  FailureOr<SmallVector<RowAddresses>> find(ValueRange views);
  void emitColumn(Value column);
  SmallVector<Value> multiply(ArrayRef<Value> sums);
  SmallVector<Value> multiply(unsigned product, ArrayRef<Value> sums);
  void emitReady(IRMapping &values);
  Value locate(const RowAddresses &matrix, Value column) {
    return addIndex(b, matrix.getRow(b, arith::ConstantIndexOp::create(b, 0)),
                    column);
  }

  GemvOp op;
  ImplicitLocOpBuilder b;
  int64_t width;
  Type type; ///< of `width` columns
  SmallVector<RowAddresses> rows, weights, inputs, outputs;
};

} // namespace

FailureOr<SmallVector<RowAddresses>> GemvEmitter::find(ValueRange views) {
  SmallVector<RowAddresses> result;
  for (Value view : views) {
    auto found = RowAddresses::get(b, op, view);
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

/// Returns the dot product of two vectors, or the product of two scalars.
static Value getDot(ImplicitLocOpBuilder &b, Value left, Value right) {
  auto vector = dyn_cast<VectorType>(left.getType());
  if (!vector)
    return arith::MulFOp::create(b, left, right);
  Value sum;
  for (int64_t i = 0; i < vector.getNumElements(); ++i) {
    Value x = vector::ExtractOp::create(b, left, i);
    Value y = vector::ExtractOp::create(b, right, i);
    sum = sum ? math::FmaOp::create(b, x, y, sum).getResult()
              : arith::MulFOp::create(b, x, y).getResult();
  }
  return sum;
}

SmallVector<Value> GemvEmitter::multiply(unsigned product,
                                         ArrayRef<Value> sums) {
  const int64_t depth = getShape(op.getRows()[product].getType()).second;
  auto places = llvm::map_to_vector(
      sums, [&](Value sum) { return weights[product].getRow(b, sum); });
  Value input = rows[product].getRow(b, arith::ConstantIndexOp::create(b, 0));
  return ScalarArithmetic(b, b.getLoc())
      .sumOverThreads(
          arith::ConstantIndexOp::create(b, 0),
          arith::ConstantIndexOp::create(b, depth / width), sums.size(),
          [&](Value k) {
            Value at = mulIndex(b, k, width);
            Value x = loadFrom(b, type, rows[product].getMemory(),
                               addIndex(b, input, at), /*isAligned=*/true);
            return llvm::map_to_vector(places, [&](Value place) {
              return getDot(b,
                            loadFrom(b, type, weights[product].getMemory(),
                                     addIndex(b, place, at),
                                     /*isAligned=*/true),
                            x);
            });
          });
}

/// Computes the accumulators with the numbers `sums`, over all inputs.
SmallVector<Value> GemvEmitter::multiply(ArrayRef<Value> sums) {
  SmallVector<Value> results = multiply(0, sums);
  for (unsigned i = 1; i < rows.size(); ++i)
    for (auto [result, more] : llvm::zip_equal(results, multiply(i, sums)))
      result = arith::AddFOp::create(b, result, more);
  return results;
}

/// Emits the operations of the region whose operands are known and which have
/// not been emitted yet.
void GemvEmitter::emitReady(IRMapping &values) {
  for (Operation &inner : op.getBody().front().without_terminator())
    if (!values.contains(inner.getResult(0)) &&
        llvm::all_of(inner.getOperands(),
                     [&](Value operand) { return values.contains(operand); }))
      b.clone(inner, values);
}

void GemvEmitter::emitColumn(Value column) {
  Block &body = op.getBody().front();
  const int64_t numBlocks = op.getNumBlocks();
  IRMapping values;
  for (auto [input, argument] :
       llvm::zip_equal(inputs, body.getArguments().drop_front(numBlocks)))
    values.map(argument, memref::LoadOp::create(b, input.getMemory(),
                                                locate(input, column)));
  emitReady(values);
  SmallVector<Value> sums;
  for (int64_t block = 0; block < numBlocks; ++block)
    sums.push_back(addIndex(b, column, block * op.getNumColumns()));
  values.map(body.getArguments().take_front(numBlocks), multiply(sums));
  // Only one thread continues.
  parallelFor(b, 1, [&](ValueRange) {
    emitReady(values);
    for (auto [output, result] :
         llvm::zip_equal(outputs, body.getTerminator()->getOperands()))
      memref::StoreOp::create(b, values.lookup(result), output.getMemory(),
                              locate(output, column));
  });
}

void GemvEmitter::emit() {
  parallelFor(b, op.getNumColumns(), [&](ValueRange at) { emitColumn(at[0]); });
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

static LogicalResult lowerGemv(GemvOp op, PatternRewriter &rewriter) {
  GemvEmitter emitter(op, rewriter);
  if (failed(emitter.initialize()))
    return failure();
  emitter.emit();
  emitter.setTeams(cast<func::FuncOp>(op->getParentOp()));
  rewriter.eraseOp(op);
  return success();
}

void mlir::nnet3::kernel::addGemvLowering(RewritePatternSet &patterns) {
  patterns.add(lowerGemv);
}
