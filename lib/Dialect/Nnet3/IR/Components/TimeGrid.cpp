//===- TimeGrid.cpp - Rows on grids of times ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TimeGrid.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseSet.h"
#include <numeric>
#include <set>

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::detail;

/// Maximum number of rows of a grid.
static constexpr int64_t kMaxGridRows = int64_t(1) << 24;

using Images = std::vector<std::pair<int32_t, int32_t>>;

static TimeGrid getTimeGrid(const IndexRows &rows) {
  TimeGrid grid;
  bool any = false;
  int64_t origin = 0, last = 0;
  for (const Index &index : rows.rows) {
    if (index.isBlank())
      continue;
    int64_t t = index.t;
    if (!std::exchange(any, true))
      origin = grid.start = last = t;
    grid.start = std::min(grid.start, t);
    last = std::max(last, t);
    // Most rows lie on the grid of the rows before them.
    if (grid.step == 0 || (t - origin) % grid.step != 0)
      grid.step = std::gcd(grid.step, t - origin);
  }
  if (any)
    grid.count = grid.step == 0 ? 1 : (last - grid.start) / grid.step + 1;
  return grid;
}

static Images getImages(const IndexRows &rows) {
  std::set<std::pair<int32_t, int32_t>> images;
  std::pair<int32_t, int32_t> last;
  for (const Index &index : rows.rows) {
    std::pair<int32_t, int32_t> image(index.n, index.x);
    if (images.empty() || image != last)
      images.insert(image);
    last = image;
  }
  return {images.begin(), images.end()};
}

LogicalResult RowGrid::reorderInputs() {
  if (in.step == 0 || out.step % in.step != 0)
    return failure();
  reorder = out.step / in.step;
  in.count = llvm::alignTo(in.count, reorder);
  return success();
}

FailureOr<RowGrid> mlir::nnet3::detail::getRowGrid(const IndexRows &inputs,
                                                   const IndexRows &outputs) {
  RowGrid grid;
  grid.in = getTimeGrid(inputs);
  grid.out = getTimeGrid(outputs);
  grid.images = getImages(inputs);
  if (grid.images != getImages(outputs))
    return failure();
  return grid;
}

/// Orders rows on a grid: time blocks outermost, then (n, x), then the
/// `reorder` times of a block. Grid points without a row become blank.
static void layOutRows(IndexRows &rows, const TimeGrid &times, int64_t reorder,
                       const Images &images) {
  // Rows are distinct grid points.
  size_t size = times.count * images.size();
  bool hasBlanks = rows.rows.size() < size;
  DenseSet<Index> present;
  if (hasBlanks)
    present.insert(rows.rows.begin(), rows.rows.end());
  SmallVector<Index> result;
  result.reserve(size);
  for (int64_t first = 0; first < times.count; first += reorder)
    for (auto [n, x] : images)
      for (int64_t i = 0; i < reorder; ++i) {
        Index index{n, int32_t(times.at(first + i)), x};
        if (hasBlanks && !present.contains(index))
          index.t = kNoTime;
        result.push_back(index);
      }
  if (rows.isFolded())
    rows.block = reorder * images.size();
  rows.rows = std::move(result);
}

LogicalResult mlir::nnet3::detail::layOut(Operation *op,
                                          const FailureOr<RowGrid> &grid,
                                          IndexRows &inputs,
                                          IndexRows &outputs) {
  if (failed(grid))
    return op->emitOpError("cannot lay out its rows: every sequence must have "
                           "the same frames, and the output's a multiple of "
                           "the input's spacing");
  // A grid of rows that are far apart consists mostly of blank rows.
  int64_t times = std::max(grid->in.count, grid->out.count);
  if (times > kMaxGridRows / int64_t(grid->images.size()))
    return op->emitOpError("cannot lay out ")
           << inputs.rows.size() << " rows: their grid of " << times
           << " frames has more than 2^24 rows";
  layOutRows(inputs, grid->in, grid->reorder, grid->images);
  layOutRows(outputs, grid->out, 1, grid->images);
  return success();
}

DictionaryAttr mlir::nnet3::detail::getRowOffsets(MLIRContext *context,
                                                  const RowGrid &grid,
                                                  ArrayRef<int64_t> timeOffsets,
                                                  int64_t numSequences) {
  int64_t numImages = grid.images.size() * numSequences;
  SmallVector<int64_t> rowOffsets;
  for (int64_t offset : timeOffsets) {
    int64_t q = (grid.out.start + offset - grid.in.start) / grid.in.step;
    rowOffsets.push_back(grid.reorder * (q / grid.reorder) * numImages +
                         q % grid.reorder);
  }
  Builder builder(context);
  return builder.getDictionaryAttr(
      {builder.getNamedAttr("row_offsets",
                            builder.getDenseI64ArrayAttr(rowOffsets)),
       builder.getNamedAttr("row_stride",
                            builder.getI64IntegerAttr(grid.reorder))});
}
