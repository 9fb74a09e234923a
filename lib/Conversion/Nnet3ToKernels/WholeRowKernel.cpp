//===- WholeRowKernel.cpp - Components that combine columns ---------------===//

#include "WholeRowKernel.h"
#include "DeviceLoops.h"
#include "GemmKernel.h"

#include "nnet3/Fusion/RowEmission.h"

#include <limits>

using namespace mlir;
using namespace mlir::nnet3;

namespace {
/// A row by a block of threads.
class BlockEmission : public RowEmission {
public:
  BlockEmission(VectorEmitter &e, func::FuncOp function)
      : RowEmission(e.getBuilder(), e.getLoc()), e(e),
        arena(function.getArgument(0)), tables(function.getArgument(2)),
        places(function.getArguments().drop_front(getFirstPlace())) {}

  void setRow(Value row, int64_t inputStride, int64_t outputStride) {
    output = e.add(places[places.size() - 2], e.mul(row, outputStride));
    input = e.add(places.back(), e.mul(row, inputStride));
  }

  Value load(Value column) override {
    return e.loadScalar(arena, e.add(input, column));
  }
  Value loadIndex(unsigned number, Value column) override {
    Value entry = e.loadScalar(tables, e.add(places[number], column));
    return arith::IndexCastOp::create(getBuilder(), getLoc(),
                                      getBuilder().getIndexType(), entry);
  }
  Value loadOutput(Value column) override {
    return e.loadScalar(arena, e.add(output, column));
  }
  void store(Value element, Value column) override {
    e.store(element, arena, e.add(output, column));
  }
  void forEach(int64_t count, function_ref<void(Value)> body) override {
    e.parallel(e.index(0), e.index(count),
               [&](ValueRange column) { body(column[0]); });
  }
  Value sum(int64_t count, function_ref<Value(Value)> body) override {
    return reduce<arith::AddFOp>(count, 0, body);
  }
  Value max(int64_t count, function_ref<Value(Value)> body) override {
    return reduce<arith::MaximumFOp>(
        count, -std::numeric_limits<float>::infinity(), body);
  }
  Value sumRange(Value begin, Value end) override {
    return e.loop(begin, end, 1, e.splat(1, 0),
                  [&](Value column, ValueRange sum) -> SmallVector<Value> {
                    return {arith::AddFOp::create(getBuilder(), getLoc(),
                                                  sum[0], load(column))};
                  })[0];
  }

private:
  template <typename OpTy>
  Value reduce(int64_t count, float neutral, function_ref<Value(Value)> body);

  VectorEmitter &e;
  Value arena, tables, input, output;
  ValueRange places;
};
} // namespace

template <typename OpTy>
Value BlockEmission::reduce(int64_t count, float neutral,
                            function_ref<Value(Value)> body) {
  OpBuilder &builder = getBuilder();
  auto loop = scf::ParallelOp::create(
      builder, getLoc(), e.index(0), e.index(count), e.index(1),
      e.splat(1, neutral),
      [&](OpBuilder &, Location loc, ValueRange column, ValueRange) {
        Value element = body(column[0]);
        auto end = scf::ReduceOp::create(builder, loc, element);
        OpBuilder::InsertionGuard guard(builder);
        Block &block = end.getReductions().front().front();
        builder.setInsertionPointToStart(&block);
        Value both = OpTy::create(builder, loc, block.getArgument(0),
                                  block.getArgument(1));
        scf::ReduceReturnOp::create(builder, loc, both);
      });
  return loop.getResult(0);
}

void WholeRowKernel::emit(func::FuncOp function) const {
  OpBuilder builder(function.getContext());
  builder.setInsertionPointToStart(function.addEntryBlock());
  VectorEmitter e(builder, function.getLoc(), /*scalars=*/true);
  BlockEmission emission(e, function);
  // Interfaces are handles, whose methods are not const.
  RowKernelInterface model = component;
  e.parallel(e.index(0), e.index(rows), [&](ValueRange row) {
    emission.setRow(row[0], inputStride, outputStride);
    model.emitRow(emission);
  });
  func::ReturnOp::create(builder, function.getLoc());
  setThreads(function, columns);
}
