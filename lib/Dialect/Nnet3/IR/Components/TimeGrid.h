//===- TimeGrid.h - Rows on grids of times ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Components that read several times around each output have their rows on
// grids (spec: compile.md 6.4), so that the rows for one time offset are a
// constant distance away from the output's.
//
//===----------------------------------------------------------------------===//

#ifndef LIB_DIALECT_NNET3_IR_COMPONENTS_TIMEGRID_H
#define LIB_DIALECT_NNET3_IR_COMPONENTS_TIMEGRID_H

#include "Components.h"

#include <utility>
#include <vector>

namespace mlir::nnet3::detail {

/// Times as an arithmetic progression.
struct TimeGrid {
  int64_t start = 0;
  int64_t step = 0; ///< 0: a single time
  int64_t count = 0;

  int64_t at(int64_t i) const { return start + i * step; }
  int64_t last() const { return start + (count - 1) * step; }
};

/// The grids that determine the rows of a step.
struct RowGrid {
  TimeGrid in, out;
  /// Number of consecutive input times that are stored together per image.
  int64_t reorder = 1;
  /// The (n, x) pairs, sorted.
  std::vector<std::pair<int32_t, int32_t>> images;

  /// Sets `reorder` from the steps and rounds the number of input times up to a
  /// multiple of it. Fails if the output's step is not a multiple of the
  /// input's.
  LogicalResult reorderInputs();
};

/// Returns the times and images of a step's rows without padding; fails if the
/// input and the output have different images.
FailureOr<RowGrid> getRowGrid(const IndexRows &inputs,
                              const IndexRows &outputs);

/// Lays out the rows on the grid; grid points without a row become blank. Emits
/// an error on `op` if there is no grid, or if it is too large.
LogicalResult layOut(Operation *op, const FailureOr<RowGrid> &grid,
                     IndexRows &inputs, IndexRows &outputs);

/// Returns for each time offset the input row of the first output row
/// (`row_offsets`), and the distance between the input rows of consecutive
/// output rows (`row_stride`).
DictionaryAttr getRowOffsets(MLIRContext *context, const RowGrid &grid,
                             ArrayRef<int64_t> timeOffsets,
                             int64_t numSequences);

} // namespace mlir::nnet3::detail

#endif // LIB_DIALECT_NNET3_IR_COMPONENTS_TIMEGRID_H
