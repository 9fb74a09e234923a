//===- SpliceKernel.cpp - Rows side by side -------------------------------===//

#include "SpliceKernel.h"
#include "DeviceLoops.h"
#include "GemmKernel.h"

using namespace mlir;
using namespace mlir::nnet3;

void SpliceKernel::emit(func::FuncOp function) const {
  OpBuilder builder(function.getContext());
  builder.setInsertionPointToStart(function.addEntryBlock());
  VectorEmitter e(builder, function.getLoc(), /*scalars=*/true,
                  /*aligned=*/true);
  Value arena = function.getArgument(0);
  Value output = function.getArgument(getFirstPlace());
  auto getPart = [&](int64_t part) {
    return function.getArgument(getFirstPlace() + 1 + part);
  };
  const int64_t points = columns / width; // of a part
  auto copy = [&](Value row, Value point) {
    Value part = e.divide(point, points), place = getPart(0);
    for (int64_t i = 1; i < parts; ++i)
      place = e.selectEqual(part, e.index(i), getPart(i), place);
    Value from =
        e.add(place, e.add(e.mul(e.remainder(row, batchRows), rowDistance),
                           e.mul(e.divide(row, batchRows), batchDistance)));
    from = e.add(from, e.mul(e.remainder(point, points), width));
    Value to =
        e.add(e.add(output, e.mul(row, parts * columns)), e.mul(point, width));
    e.store(e.load(width, arena, from), arena, to);
  };
  forEachStretch(e, rows, parts * points,
                 [&](Value row, const Stretch &stretch) {
                   e.parallel(stretch.begin, stretch.end,
                              [&](ValueRange at) { copy(row, at[0]); });
                 });
  func::ReturnOp::create(builder, function.getLoc());
  setThreads(function, parts * points);
}
