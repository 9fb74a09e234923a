//===- TdnnComponent.cpp - Affine map over several time offsets -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TimeGrid.h"

#include "llvm/ADT/DenseSet.h"
#include <cmath>

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::detail;

LogicalResult TdnnOp::verifyConfiguration() {
  ArrayRef<int64_t> offsets = getTimeOffsets();
  if (offsets.empty())
    return emitOpError("expects at least one time offset");
  DenseSet<int64_t> seen;
  for (int64_t offset : offsets) {
    if (offset < -1000000 || offset > 1000000)
      return emitOpError("time offset ") << offset << " is too large";
    if (!seen.insert(offset).second)
      return emitOpError("time offset ") << offset << " is listed twice";
  }
  if (!getUseBias() && getBiasParams())
    return emitOpError("has bias_params, but use_bias is false");
  return success();
}

//===----------------------------------------------------------------------===//
// Indexes
//===----------------------------------------------------------------------===//

void TdnnOp::getInputIndexes(Index output, SmallVectorImpl<Index> &inputs) {
  for (int64_t offset : getTimeOffsets())
    inputs.push_back({output.n, shifted(output.t, offset), output.x});
}

bool TdnnOp::isComputable(Index output, function_ref<bool(Index)> available,
                          SmallVectorImpl<Index> *used) {
  for (int64_t offset : getTimeOffsets()) {
    Index input{output.n, shifted(output.t, offset), output.x};
    if (input.t != output.t + offset || !available(input))
      return false;
  }
  if (used)
    getInputIndexes(output, *used);
  return true;
}

/// Returns the grids of a step's rows; fails if the output times are not on the
/// input's grid.
static FailureOr<RowGrid> getGrid(const IndexRows &inputs,
                                  const IndexRows &outputs) {
  FailureOr<RowGrid> grid = getRowGrid(inputs, outputs);
  if (failed(grid))
    return failure();
  if (grid->out.step == 0) {
    if (grid->in.step == 0)
      grid->in.step = 1;
    grid->out.step = grid->in.step;
  }
  if (failed(grid->reorderInputs()))
    return failure();
  return grid;
}

LogicalResult TdnnOp::reorderIndexes(IndexRows &inputs, IndexRows &outputs) {
  return layOut(*this, getGrid(inputs, outputs), inputs, outputs);
}

DictionaryAttr TdnnOp::precomputeIndexes(const IndexRows &inputs,
                                         const IndexRows &outputs, bool) {
  FailureOr<RowGrid> grid = getGrid(inputs, outputs);
  assert(succeeded(grid) && "rows were laid out before");
  return getRowOffsets(getContext(), *grid, getTimeOffsets(),
                       inputs.numSequences());
}
