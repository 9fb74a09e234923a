//===- WholeRowKernel.cpp - Components with code for a row ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "WholeRowKernel.h"
#include "BlockEmission.h"
#include "DeviceLoops.h"
#include "LaneEmission.h"

using namespace mlir;
using namespace mlir::nnet3;

// Interfaces are handles, whose methods are not const.

RowReads WholeRowKernel::getReads() const {
  RowKernelInterface model = component;
  return isFactor ? RowReads::One : model.getRowReads();
}

unsigned WholeRowKernel::getNumVectors() const {
  RowKernelInterface model = component;
  return model.getNumKernelVectors();
}

unsigned WholeRowKernel::getNumIndexes() const {
  RowKernelInterface model = component;
  return model.getKernelIndexes().size();
}

void WholeRowKernel::emitRow(RowOperands &operands) const {
  RowKernelInterface model = component;
  if (isFactor)
    cast<FactorKernelInterface>(model.getOperation()).emitFactor(operands);
  else
    model.emitRow(operands);
}

void WholeRowKernel::emit(func::FuncOp function,
                          const VectorTarget &target) const {
  OpBuilder builder(function.getContext());
  builder.setInsertionPointToStart(function.addEntryBlock());
  VectorEmitter e(builder, function.getLoc(), /*scalars=*/true);
  RowKernelInterface model = component;
  const int64_t parts = model.getNumParts();
  if (!target.device) {
    // What a part reads of neighbouring rows stays in the cache.
    LaneEmission emission(*this, target, e, function);
    e.forEach(parts, 1, [&](Value part) {
      e.forEach(rows, 1, [&](Value row) {
        emission.setRow(row, part);
        emitRow(emission);
      });
    });
  } else if (model.isColumnwise()) {
    BlockEmission emission(*this, e, function);
    forEachStretch(e, rows, columns, [&](Value row, const Stretch &stretch) {
      emission.setRow(row, e.index(0));
      emission.setStretch(stretch);
      emitRow(emission);
    });
  } else {
    BlockEmission emission(*this, e, function);
    e.parallel({e.index(0), e.index(0)}, {e.index(rows), e.index(parts)},
               [&](ValueRange at) {
                 emission.setRow(at[0], at[1]);
                 emitRow(emission);
               });
  }
  func::ReturnOp::create(builder, function.getLoc());
  if (target.device)
    setThreads(function, columns);
}
