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
      : kernel(kernel), e(builder, function.getLoc(), /*scalars=*/true),
        arena(function.getArgument(0)), weights(function.getArgument(1)) {
    unsigned next = getFirstPlace();
    if (kernel.bias)
      bias = function.getArgument(next++);
    for (ElementwiseKernelInterface step : kernel.steps)
      for (unsigned i = 0; i < step.getNumKernelVectors(); ++i)
        vectors.push_back(function.getArgument(next++));
    output = function.getArgument(next++);
    input = function.getArgument(next++);
    if (kernel.initStride)
      init = function.getArgument(next++);
    if (kernel.residualStride)
      residual = function.getArgument(next++);
  }

  void emit() {
    forEachStretch(e, kernel.rows, kernel.columns,
                   [&](Value row, const Stretch &stretch) {
                     e.parallel(stretch.begin, stretch.end,
                                [&](ValueRange at) { emit(row, at[0]); });
                   });
  }

private:
  void emit(Value row, Value column);
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
  SmallVector<Value> vectors;
};
} // namespace

Value EpilogueEmitter::applySteps(Value x, Value column) {
  unsigned next = 0;
  for (ElementwiseKernelInterface step : kernel.steps) {
    SmallVector<Value> values;
    for (unsigned i = 0; i < step.getNumKernelVectors(); ++i)
      values.push_back(e.load(1, weights, e.add(vectors[next++], column)));
    x = step.emitElementwise(e.getBuilder(), e.getLoc(), x, values);
  }
  return x;
}

void EpilogueEmitter::emit(Value row, Value column) {
  Value x = e.load(1, arena, getPlace(input, row, kernel.inputStride, column));
  if (init) {
    Value initRow =
        kernel.initRows < kernel.rows ? e.remainder(row, kernel.initRows) : row;
    x = add(x, e.load(1, arena,
                      getPlace(init, initRow, *kernel.initStride, column)));
  }
  Value at = kernel.period < kernel.columns ? e.remainder(column, kernel.period)
                                            : column;
  if (bias)
    x = add(x, e.load(1, weights, e.add(bias, at)));
  x = applySteps(x, at);
  if (residual) {
    Value y = e.load(1, arena,
                     getPlace(residual, row, *kernel.residualStride, column));
    x = math::FmaOp::create(e.getBuilder(), e.getLoc(), y,
                            e.splat(1, kernel.residualScale), x);
  }
  e.store(x, arena, getPlace(output, row, kernel.outputStride, column));
}

void EpilogueKernel::emit(func::FuncOp function) const {
  OpBuilder builder(function.getContext());
  builder.setInsertionPointToStart(function.addEntryBlock());
  EpilogueEmitter(*this, function, builder).emit();
  func::ReturnOp::create(builder, function.getLoc());
  setThreads(function, columns);
  setForm(function, form);
}
