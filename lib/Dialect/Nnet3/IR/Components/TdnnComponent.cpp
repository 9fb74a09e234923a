//===- TdnnComponent.cpp - Affine map over several time offsets -----------===//

#include "Components.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseSet.h"
#include <cmath>
#include <numeric>
#include <set>
#include <utility>

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::detail;
using P = ComponentProperties;

int64_t TdnnOp::getComponentInputDim() { return getInputDim(); }
int64_t TdnnOp::getComponentOutputDim() { return getOutputDim(); }

P TdnnOp::getComponentProperties() {
  P properties = P::Updatable | P::ReordersIndexes | P::BackpropAdds |
                 P::BackpropNeedsInput;
  return getUseBias() ? properties : properties | P::PropagateAdds;
}

SmallVector<TensorSpec> TdnnOp::getTensors() {
  int64_t in = getInputDim(), out = getOutputDim();
  int64_t offsets = getTimeOffsets().size();
  SmallVector<TensorSpec> tensors = {{"linear_params", {out, offsets * in}}};
  if (getUseBias())
    tensors.push_back({"bias_params", {out}});
  return tensors;
}

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

LogicalResult TdnnOp::initializeParameters(ParameterInitializer &i) {
  if (getLinearParams())
    return success();
  int64_t cols = getInputDim() * getTimeOffsets().size();
  double stddev = getInitNumber(getInitAttr(), "param_stddev", -1);
  if (stddev < 0)
    stddev = 1.0 / std::sqrt(double(cols));
  i.setNormal(*this, "linear_params", {int64_t(getOutputDim()), cols}, 0,
              stddev);
  if (getUseBias())
    i.setNormal(*this, "bias_params", {int64_t(getOutputDim())},
                getInitNumber(getInitAttr(), "bias_mean", 0),
                getInitNumber(getInitAttr(), "bias_stddev", 1));
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

/// No grid has more rows of one sequence than this.
static constexpr int64_t kMaxGridRows = int64_t(1) << 24;

namespace {
/// The times of a list of Indexes as an arithmetic progression.
struct TimeGrid {
  int64_t start = 0;
  int64_t step = 0; // 0: a single time
  int64_t count = 0;

  int64_t at(int64_t i) const { return start + i * step; }
};

/// Everything that the rows of a Tdnn step follow from (compile.md 6.4).
struct TdnnGrid {
  TimeGrid in, out;
  int64_t reorder = 1;
  /// The (n, x) pairs, sorted.
  std::vector<std::pair<int32_t, int32_t>> images;
};
} // namespace

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
    // Most rows lie on the grid that those before them have.
    if (grid.step == 0 || (t - origin) % grid.step != 0)
      grid.step = std::gcd(grid.step, t - origin);
  }
  if (any)
    grid.count = grid.step == 0 ? 1 : (last - grid.start) / grid.step + 1;
  return grid;
}

static std::vector<std::pair<int32_t, int32_t>>
getImages(const IndexRows &rows) {
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

/// The grids on which the step's rows are laid out; fails if the output times
/// do not lie on the input's grid.
static FailureOr<TdnnGrid> getGrid(const IndexRows &inputs,
                                   const IndexRows &outputs) {
  TdnnGrid grid;
  grid.in = getTimeGrid(inputs);
  grid.out = getTimeGrid(outputs);
  grid.images = getImages(inputs);
  if (grid.images != getImages(outputs))
    return failure();
  if (grid.out.step == 0) {
    if (grid.in.step == 0)
      grid.in.step = 1;
    grid.out.step = grid.in.step;
  }
  if (grid.in.step == 0 || grid.out.step % grid.in.step != 0)
    return failure();
  grid.reorder = grid.out.step / grid.in.step;
  grid.in.count = llvm::alignTo(grid.in.count, grid.reorder);
  return grid;
}

/// Rows on a grid: time blocks outermost, then (n, x), then the `reorder`
/// times of a block. Grid points not among `rows` become blanks.
static void layOut(IndexRows &rows, const TimeGrid &times, int64_t reorder,
                   ArrayRef<std::pair<int32_t, int32_t>> images) {
  // The rows are different points of the grid.
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

LogicalResult TdnnOp::reorderIndexes(IndexRows &inputs, IndexRows &outputs) {
  FailureOr<TdnnGrid> grid = getGrid(inputs, outputs);
  if (failed(grid))
    return emitOpError("cannot lay out its rows: every sequence must have the "
                       "same frames, and the output's a multiple of the "
                       "input's spacing");
  // Rows far apart have many blank ones in between.
  int64_t times = std::max(grid->in.count, grid->out.count);
  if (times > kMaxGridRows / int64_t(grid->images.size()))
    return emitOpError("cannot lay out ")
           << inputs.rows.size() << " rows: their grid of " << times
           << " frames has more than 2^24 rows";
  layOut(inputs, grid->in, grid->reorder, grid->images);
  layOut(outputs, grid->out, 1, grid->images);
  return success();
}

DictionaryAttr TdnnOp::precomputeIndexes(const IndexRows &inputs,
                                         const IndexRows &outputs, bool) {
  FailureOr<TdnnGrid> grid = getGrid(inputs, outputs);
  assert(succeeded(grid) && "rows were laid out before");
  int64_t numImages = grid->images.size() * inputs.numSequences();
  SmallVector<int64_t> rowOffsets;
  for (int64_t offset : getTimeOffsets()) {
    int64_t q = (grid->out.start + offset - grid->in.start) / grid->in.step;
    rowOffsets.push_back(grid->reorder * (q / grid->reorder) * numImages +
                         q % grid->reorder);
  }
  Builder builder(getContext());
  return builder.getDictionaryAttr(
      {builder.getNamedAttr("row_offsets",
                            builder.getDenseI64ArrayAttr(rowOffsets)),
       builder.getNamedAttr("row_stride",
                            builder.getI64IntegerAttr(grid->reorder))});
}
