//===- RowSequence.cpp - Kernels one after the other ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RowSequence.h"
#include "EpilogueEmitter.h"
#include "RowEmitter.h"

using namespace mlir;
using namespace mlir::nnet3;

void RowSequence::emit(kernel::LaunchOp launch) const {
  OpBuilder builder = OpBuilder::atBlockEnd(&launch.getBody().front());
  VectorEmitter e(builder, launch.getLoc(), /*scalars=*/true,
                  /*aligned=*/true);
  std::vector<RowEmitter> emitters;
  unsigned next = getFirstPlace() + (product ? product->getNumPlaces() : 0);
  for (const RowKernel &kernel : kernels) {
    emitters.emplace_back(kernel, launch, builder, next);
    next += kernel.getNumPlaces();
  }
  // `values` are those of the blocks that are written already.
  auto emitColumn = [&](Value row, Value column, SmallVector<Value> values) {
    for (auto [emitter, blocks] : llvm::zip_equal(emitters, known)) {
      auto inputs =
          llvm::map_to_vector(blocks, [&](std::optional<unsigned> block) {
            return block ? values[*block] : Value();
          });
      llvm::append_range(values, emitter.emitColumn(row, column, inputs));
    }
  };
  const int64_t columns = kernels[0].columns, width = kernels[0].width;
  if (product) {
    EpilogueEmitter first(*product, e, launch, getFirstPlace());
    first.emitCells(columns, [&](Value cell, ArrayRef<Value> outputs) {
      emitColumn(e.index(0), cell, llvm::to_vector(outputs));
    });
    product->setTeams(launch, columns);
  } else {
    forEachStretch(e, kernels[0].rows, columns / width,
                   [&](Value row, const Stretch &stretch) {
                     e.parallel(stretch.begin, stretch.end, [&](ValueRange at) {
                       emitColumn(row, e.mul(at[0], width), {});
                     });
                   });
    setThreads(launch, columns / width);
  }
}
