//===- TimeGrid.h - Rows laid out on grids of times -------------*- C++ -*-===//
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

/// Everything that the rows of a step follow from.
struct RowGrid {
  TimeGrid in, out;
  /// So many times of the input lie next to each other, within an image.
  int64_t reorder = 1;
  /// The (n, x) pairs, sorted.
  std::vector<std::pair<int32_t, int32_t>> images;

  /// Sets `reorder` from the steps, and rounds the number of input times up to
  /// a multiple of it. Fails if the output's step is no multiple of the
  /// input's.
  LogicalResult reorderInputs();
};

/// The times and images of a step's rows, as they are; fails if the input and
/// the output have different images.
FailureOr<RowGrid> getRowGrid(const IndexRows &inputs,
                              const IndexRows &outputs);

/// Puts the rows onto the grid; points that are not among them become blanks.
/// An error on `op` if there is no grid, or too large a one.
LogicalResult layOut(Operation *op, const FailureOr<RowGrid> &grid,
                     IndexRows &inputs, IndexRows &outputs);

/// For each time offset the input row of the first output row
/// (`row_offsets`), and how far apart the input rows of consecutive output rows
/// are (`row_stride`).
DictionaryAttr getRowOffsets(MLIRContext *context, const RowGrid &grid,
                             ArrayRef<int64_t> timeOffsets,
                             int64_t numSequences);

} // namespace mlir::nnet3::detail

#endif // LIB_DIALECT_NNET3_IR_COMPONENTS_TIMEGRID_H
