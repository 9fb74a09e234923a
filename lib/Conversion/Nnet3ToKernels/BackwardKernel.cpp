//===- BackwardKernel.cpp - Backward passes of components -----------------===//

#include "BackwardKernel.h"
#include "DeviceLoops.h"
#include "GemmKernel.h"

using namespace mlir;
using namespace mlir::nnet3;

// Interfaces are handles, whose methods are not const.

unsigned BackwardKernel::getNumVectors() const {
  BackwardKernelInterface model = component;
  return model ? model.getNumBackwardVectors() : 0;
}

namespace {
/// One row after another is the one that is read and written.
class BackwardRows : public BackwardEmission {
public:
  BackwardRows(const BackwardKernel &kernel, VectorEmitter &e,
               func::FuncOp function)
      : BackwardEmission(e.getBuilder(), e.getLoc()), kernel(kernel), e(e),
        arena(function.getArgument(0)), weights(function.getArgument(1)) {
    unsigned next = getFirstPlace();
    for (unsigned i = 0; i < kernel.getNumVectors(); ++i)
      vectors.push_back(function.getArgument(next++));
    dest = function.getArgument(next++);
    deriv = function.getArgument(next++);
    if (kernel.inputStride)
      input = function.getArgument(next++);
    if (kernel.outputStride)
      output = function.getArgument(next++);
  }

  void setRow(Value number) { row = number; }

  Value loadInput(Value column) override {
    return load(input, *kernel.inputStride, column);
  }
  Value loadOutput(Value column) override {
    return load(output, *kernel.outputStride, column);
  }
  Value loadDerivative(Value column) override {
    return load(deriv, kernel.derivStride, column);
  }
  Value loadVector(unsigned number, Value column) override {
    return e.loadScalar(weights, e.add(vectors[number], column));
  }
  void store(Value element, Value column) override {
    addTo(element, e.add(dest, e.add(e.mul(row, kernel.destStride), column)));
  }
  /// Stores an element of a sum, which has no rows.
  void storeSum(Value element, Value column) {
    addTo(element, e.add(dest, column));
  }
  void forEach(int64_t count, function_ref<void(Value)> body) override {
    e.parallel(e.index(0), e.index(count),
               [&](ValueRange column) { body(column[0]); });
  }
  Value sum(int64_t count, function_ref<Value(Value)> body) override;

private:
  Value load(Value base, int64_t stride, Value column) {
    return e.loadScalar(arena, e.add(base, e.add(e.mul(row, stride), column)));
  }
  void addTo(Value element, Value place) {
    if (kernel.adds)
      element = add(e.loadScalar(arena, place), element);
    e.store(element, arena, place);
  }

  const BackwardKernel &kernel;
  VectorEmitter &e;
  Value arena, weights, dest, deriv, input, output, row;
  SmallVector<Value> vectors;
};
} // namespace

Value BackwardRows::sum(int64_t count, function_ref<Value(Value)> body) {
  OpBuilder &builder = getBuilder();
  auto loop = scf::ParallelOp::create(
      builder, getLoc(), e.index(0), e.index(count), e.index(1), e.splat(1, 0),
      [&](OpBuilder &, Location loc, ValueRange at, ValueRange) {
        auto end = scf::ReduceOp::create(builder, loc, body(at[0]));
        OpBuilder::InsertionGuard guard(builder);
        Block &block = end.getReductions().front().front();
        builder.setInsertionPointToStart(&block);
        Value both = add(block.getArgument(0), block.getArgument(1));
        scf::ReduceReturnOp::create(builder, loc, both);
      });
  return loop.getResult(0);
}

void BackwardKernel::emit(func::FuncOp function) const {
  OpBuilder builder(function.getContext());
  builder.setInsertionPointToStart(function.addEntryBlock());
  VectorEmitter e(builder, function.getLoc(), /*scalars=*/true);
  BackwardRows emission(*this, e, function);
  BackwardKernelInterface model = component;
  if (!sum) {
    e.parallel(e.index(0), e.index(rows), [&](ValueRange at) {
      emission.setRow(at[0]);
      model.emitBackwardRow(emission);
    });
  } else {
    e.parallel(e.index(0), e.index(columns), [&](ValueRange at) {
      Value column = at[0];
      Value total = emission.sum(rows, [&](Value row) {
        emission.setRow(row);
        return model ? model.emitSum(emission, *sum, column)
                     : emission.loadDerivative(column);
      });
      emission.forEach(1, [&](Value) { emission.storeSum(total, column); });
    });
  }
  func::ReturnOp::create(builder, function.getLoc());
  setThreads(function, sum ? rows : columns);
}
