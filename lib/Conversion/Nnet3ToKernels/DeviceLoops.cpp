//===- DeviceLoops.cpp - Rows and columns as a device goes over them ------===//

#include "DeviceLoops.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::nnet3;

/// Columns of a stretch, one for each thread: blocks of that size keep a
/// multiprocessor busy, and a chunk of few rows still has many of them.
static constexpr int64_t kStretch = 256;
/// Threads that run in step.
static constexpr int64_t kWarp = 32;

void mlir::nnet3::forEachStretch(
    VectorEmitter &e, int64_t rows, int64_t columns,
    function_ref<void(Value row, const Stretch &)> body) {
  const int64_t stretches = llvm::divideCeil(columns, kStretch);
  Value zero = e.index(0), last = e.index(columns);
  e.parallel(
      {zero, zero}, {e.index(rows), e.index(stretches)}, [&](ValueRange at) {
        if (stretches == 1)
          return body(at[0], {zero, last});
        Value begin = e.mul(at[1], kStretch);
        Value end = e.add(begin, kStretch);
        body(at[0], {begin, columns % kStretch ? e.min(end, last) : end});
      });
}

void mlir::nnet3::setThreads(func::FuncOp function, int64_t columns) {
  Builder builder(function.getContext());
  function->setAttr("nnet3.threads",
                    builder.getI64IntegerAttr(std::min(
                        kStretch, int64_t(llvm::alignTo(columns, kWarp)))));
}
