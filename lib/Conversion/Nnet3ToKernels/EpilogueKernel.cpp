//===- EpilogueKernel.cpp - What happens to sums of products --------------===//

#include "EpilogueKernel.h"
#include "DeviceLoops.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::nnet3;

namespace {
class EpilogueEmitter {
public:
  EpilogueEmitter(const EpilogueKernel &kernel, func::FuncOp function,
                  OpBuilder &builder)
      : kernel(kernel),
        e(builder, function.getLoc(), /*scalars=*/true, /*aligned=*/true),
        arena(function.getArgument(0)), weights(function.getArgument(1)) {
    unsigned next = getFirstPlace();
    for (unsigned i = 0; i < 2 * kernel.depths.size(); ++i)
      factors.push_back(function.getArgument(next++));
    if (kernel.bias)
      bias = function.getArgument(next++);
    for (ElementwiseKernelInterface step : kernel.steps)
      for (unsigned i = 0; i < step.getNumKernelVectors(); ++i)
        vectors.push_back(function.getArgument(next++));
    output = function.getArgument(next++);
    if (kernel.depths.empty())
      input = function.getArgument(next++);
    if (kernel.initStride)
      init = function.getArgument(next++);
    if (kernel.residualStride)
      residual = function.getArgument(next++);
  }

  void emit() {
    if (!kernel.depths.empty())
      return emitRow();
    width = kernel.width;
    forEachStretch(e, kernel.rows, kernel.columns / width,
                   [&](Value row, const Stretch &stretch) {
                     e.parallel(stretch.begin, stretch.end, [&](ValueRange at) {
                       emit(row, e.mul(at[0], width), Value());
                     });
                   });
  }

private:
  void emitRow();
  Value multiply(unsigned product, Value column);
  /// Without a sum, it is in memory.
  void emit(Value row, Value column, Value sum);
  Value applySteps(Value x, Value column);
  Value add(Value a, Value b) {
    return arith::AddFOp::create(e.getBuilder(), e.getLoc(), a, b);
  }
  Value getPlace(Value base, Value row, int64_t stride, Value column) {
    return e.add(e.add(base, e.mul(row, stride)), column);
  }

  const EpilogueKernel &kernel;
  VectorEmitter e;
  Value arena, weights, bias, output, input, init, residual;
  SmallVector<Value> vectors, factors;
  int64_t width = 1; ///< columns of the output at a time
};
} // namespace

Value EpilogueEmitter::applySteps(Value x, Value column) {
  unsigned next = 0;
  for (ElementwiseKernelInterface step : kernel.steps) {
    SmallVector<Value> values;
    for (unsigned i = 0; i < step.getNumKernelVectors(); ++i)
      values.push_back(e.load(width, weights, e.add(vectors[next++], column)));
    x = step.emitElementwise(e.getBuilder(), e.getLoc(), x, values);
  }
  return x;
}

/// A part of the sum of a column, over all threads.
Value EpilogueEmitter::multiply(unsigned product, Value column) {
  Value w = e.add(factors[2 * product], e.mul(column, kernel.weightsStride));
  Value x = factors[2 * product + 1];
  return sumOverThreads(
      e, kernel.depths[product] / kernel.width, [&](Value k) -> Value {
        Value at = e.mul(k, kernel.width);
        Value both =
            arith::MulFOp::create(e.getBuilder(), e.getLoc(),
                                  e.load(kernel.width, weights, e.add(w, at)),
                                  e.load(kernel.width, arena, e.add(x, at)));
        if (kernel.width == 1)
          return both;
        return vector::ReductionOp::create(e.getBuilder(), e.getLoc(),
                                           vector::CombiningKind::ADD, both);
      });
}

void EpilogueEmitter::emitRow() {
  e.parallel(e.index(0), e.index(kernel.columns), [&](ValueRange column) {
    Value sum = multiply(0, column[0]);
    for (unsigned i = 1; i < kernel.depths.size(); ++i)
      sum = add(sum, multiply(i, column[0]));
    // One thread goes on.
    e.parallel(e.index(0), e.index(1),
               [&](ValueRange zero) { emit(zero[0], column[0], sum); });
  });
}

void EpilogueEmitter::emit(Value row, Value column, Value sum) {
  Value x = sum ? sum
                : e.load(width, arena,
                         getPlace(input, row, kernel.inputStride, column));
  if (init) {
    Value initRow =
        kernel.initRows < kernel.rows ? e.remainder(row, kernel.initRows) : row;
    x = add(x, e.load(width, arena,
                      getPlace(init, initRow, *kernel.initStride, column)));
  }
  Value at = kernel.period < kernel.columns ? e.remainder(column, kernel.period)
                                            : column;
  if (bias)
    x = add(x, e.load(width, weights, e.add(bias, at)));
  x = applySteps(x, at);
  if (residual) {
    Value y = e.load(width, arena,
                     getPlace(residual, row, *kernel.residualStride, column));
    x = math::FmaOp::create(e.getBuilder(), e.getLoc(), y,
                            e.splat(width, kernel.residualScale), x);
  }
  e.store(x, arena, getPlace(output, row, kernel.outputStride, column));
}

void EpilogueKernel::emit(func::FuncOp function) const {
  OpBuilder builder(function.getContext());
  builder.setInsertionPointToStart(function.addEntryBlock());
  EpilogueEmitter(*this, function, builder).emit();
  func::ReturnOp::create(builder, function.getLoc());
  // Each thread of a product has some terms of the sum.
  if (depths.empty())
    setThreads(function, columns / width);
  else
    setThreads(function, llvm::divideCeil(*llvm::max_element(depths), 4));
  setForm(function, form);
}
