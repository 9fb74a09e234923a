//===- EpilogueKernel.cpp - What happens to sums of products --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "EpilogueEmitter.h"
#include "nnet3/Conversion/KernelToThreads/DeviceLoops.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::nnet3;

EpilogueEmitter::EpilogueEmitter(const EpilogueKernel &kernel, VectorEmitter &e,
                                 kernel::LaunchOp launch, unsigned next)
    : kernel(kernel), e(e), arena(launch.getArgument(0)),
      weights(launch.getArgument(1)) {
  for (unsigned i = 0; i < 2 * kernel.depths.size(); ++i)
    factors.push_back(launch.getArgument(next++));
  if (kernel.bias)
    bias = launch.getArgument(next++);
  for (ElementwiseKernelInterface step : kernel.steps)
    for (unsigned i = 0; i < step.getNumKernelVectors(); ++i)
      vectors.push_back(launch.getArgument(next++));
  output = launch.getArgument(next++);
  if (kernel.depths.empty())
    input = launch.getArgument(next++);
  if (kernel.initStride)
    init = launch.getArgument(next++);
  if (kernel.residualStride)
    residual = launch.getArgument(next++);
}

unsigned EpilogueKernel::getNumPlaces() const {
  unsigned number = 2 * depths.size() + bias + 1 + depths.empty() +
                    initStride.has_value() + residualStride.has_value();
  for (ElementwiseKernelInterface step : steps)
    number += step.getNumKernelVectors();
  return number;
}

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

Value EpilogueEmitter::emitEpilogue(Value row, Value column, Value x) {
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
  return x;
}

void EpilogueEmitter::emitColumns(Value row, Value column, int64_t length) {
  width = length;
  emitEpilogue(
      row, column,
      e.load(width, arena, getPlace(input, row, kernel.inputStride, column)));
}

void EpilogueKernel::emit(kernel::LaunchOp launch) const {
  OpBuilder builder = OpBuilder::atBlockEnd(&launch.getBody().front());
  VectorEmitter e(builder, launch.getLoc(), /*scalars=*/true,
                  /*aligned=*/true);
  EpilogueEmitter emitter(*this, e, launch, getFirstPlace());
  if (depths.empty()) {
    forEachStretch(e, rows, columns / width,
                   [&](Value row, const Stretch &stretch) {
                     e.parallel(stretch.begin, stretch.end, [&](ValueRange at) {
                       emitter.emitColumns(row, e.mul(at[0], width), width);
                     });
                   });
    setThreads(launch, columns / width);
  } else {
    emitter.emitCells(columns, [](Value, ArrayRef<Value>) {});
    setTeams(launch, columns);
  }
  if (form)
    launch.setForm(form);
}
