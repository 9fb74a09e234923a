//===- TimeHeightConvolutionComponent.cpp - Convolution -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TimeGrid.h"

#include "mlir/IR/Builders.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <numeric>

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::detail;

/// Largest offset.
static constexpr int64_t kMaxOffset = 1000000;

SmallVector<int64_t> TimeHeightConvolutionOp::getTimeOffsets() {
  SmallVector<int64_t> times;
  for (int64_t i = 0; i < getNumOffsets(); ++i)
    if (int64_t t = getOffsets()[2 * i]; times.empty() || times.back() != t)
      times.push_back(t);
  return times;
}

SmallVector<int64_t> TimeHeightConvolutionOp::getRequiredTimes() {
  std::optional<ArrayRef<int64_t>> times = getRequiredTimeOffsets();
  return times ? SmallVector<int64_t>(*times) : getTimeOffsets();
}

//===----------------------------------------------------------------------===//
// Configuration
//===----------------------------------------------------------------------===//

static LogicalResult verifyOffsets(TimeHeightConvolutionOp op) {
  ArrayRef<int64_t> offsets = op.getOffsets();
  if (offsets.empty() || offsets.size() % 2 != 0)
    return op.emitOpError("expects pairs of a time and a height as offsets, "
                          "but got ")
           << offsets.size() << " numbers";
  std::pair<int64_t, int64_t> last;
  for (size_t i = 0; i < offsets.size(); i += 2) {
    std::pair<int64_t, int64_t> offset(offsets[i], offsets[i + 1]);
    for (int64_t number : {offset.first, offset.second})
      if (number < -kMaxOffset || number > kMaxOffset)
        return op.emitOpError("offset ") << number << " is too large";
    if (i > 0 && offset <= last)
      return op.emitOpError("expects different offsets in ascending order, but "
                            "got (")
             << offset.first << ", " << offset.second << ") after ("
             << last.first << ", " << last.second << ")";
    last = offset;
  }
  return success();
}

static LogicalResult verifyRequiredTimes(TimeHeightConvolutionOp op) {
  SmallVector<int64_t> times = op.getTimeOffsets();
  SmallVector<int64_t> required = op.getRequiredTimes();
  for (auto [i, time] : llvm::enumerate(required)) {
    if (i > 0 && time <= required[i - 1])
      return op.emitOpError("expects different required_time_offsets in "
                            "ascending order, but got ")
             << time << " after " << required[i - 1];
    if (!llvm::is_contained(times, time))
      return op.emitOpError("required_time_offsets has ")
             << time << ", which is no time offset";
  }
  return success();
}

/// Verifies that every offset is used and every output height has an input.
static LogicalResult verifyHeights(TimeHeightConvolutionOp op) {
  int64_t heightIn = op.getHeightIn(), heightOut = op.getHeightOut();
  int64_t subsample = op.getHeightSubsampleOut();
  SmallVector<int64_t> required = op.getRequiredTimes();
  // First and last output height that each required offset contributes to.
  SmallVector<std::pair<int64_t, int64_t>> covered;
  ArrayRef<int64_t> offsets = op.getOffsets();
  for (size_t i = 0; i < offsets.size(); i += 2) {
    int64_t time = offsets[i], height = offsets[i + 1];
    int64_t first =
        std::max<int64_t>(0, llvm::divideCeilSigned(-height, subsample));
    int64_t last =
        std::min(heightOut - 1,
                 llvm::divideFloorSigned(heightIn - 1 - height, subsample));
    if (first > last)
      return op.emitOpError("offset (")
             << time << ", " << height << ") is out of range for every height";
    if (llvm::is_contained(required, time))
      covered.push_back({first, last});
  }
  llvm::sort(covered);
  int64_t next = 0;
  for (auto [first, last] : covered)
    if (first <= next)
      next = std::max(next, last + 1);
  if (next < heightOut)
    return op.emitOpError("output height ")
           << next << " has no input at the required time offsets";
  return success();
}

LogicalResult TimeHeightConvolutionOp::verifyConfiguration() {
  if (failed(verifyOffsets(*this)) || failed(verifyRequiredTimes(*this)) ||
      failed(verifyHeights(*this)))
    return failure();
  if (getMaxMemoryMb().convertToFloat() <= 0)
    return emitOpError("expects a positive max_memory_mb, but got ")
           << getMaxMemoryMb().convertToFloat();
  return success();
}

/// Initialises to the identity: copies the input at offset (0, 0), filter by
/// filter.
static LogicalResult setUnit(TimeHeightConvolutionOp op,
                             ParameterInitializer &initializer) {
  int64_t filters = op.getNumFiltersOut();
  ArrayRef<int64_t> offsets = op.getOffsets();
  size_t center = 0;
  while (center < offsets.size() &&
         (offsets[center] != 0 || offsets[center + 1] != 0))
    center += 2;
  if (center == offsets.size() || int64_t(op.getNumFiltersIn()) != filters)
    return op.emitOpError("expects as many input as output filters, and an "
                          "offset (0, 0), for init_unit");
  int64_t cols = op.getNumOffsets() * filters;
  std::vector<float> weights(filters * cols);
  for (int64_t filter = 0; filter < filters; ++filter)
    weights[filter * cols + center / 2 * filters + filter] = 1;
  initializer.setTensor(op, "linear_params", {filters, cols}, weights);
  return success();
}

LogicalResult
TimeHeightConvolutionOp::initializeParameters(ParameterInitializer &i) {
  if (getLinearParams())
    return success();
  int64_t filters = getNumFiltersOut();
  int64_t cols = getNumOffsets() * getNumFiltersIn();
  DictionaryAttr init = getInitAttr();
  auto unit = init ? init.getAs<BoolAttr>("init_unit") : BoolAttr();
  if (unit && unit.getValue()) {
    if (failed(setUnit(*this, i)))
      return failure();
  } else {
    double stddev = getInitNumber(init, "param_stddev", -1);
    if (stddev < 0)
      stddev = 1.0 / std::sqrt(double(cols));
    i.setNormal(*this, "linear_params", {filters, cols}, 0, stddev);
  }
  i.setNormal(*this, "bias_params", {filters}, 0,
              getInitNumber(init, "bias_stddev", 0));
  return success();
}

//===----------------------------------------------------------------------===//
// Indexes
//===----------------------------------------------------------------------===//

void TimeHeightConvolutionOp::getInputIndexes(Index output,
                                              SmallVectorImpl<Index> &inputs) {
  for (int64_t offset : getTimeOffsets())
    inputs.push_back({output.n, shifted(output.t, offset), output.x});
}

bool TimeHeightConvolutionOp::isComputable(Index output,
                                           function_ref<bool(Index)> available,
                                           SmallVectorImpl<Index> *used) {
  for (int64_t offset : getRequiredTimes())
    if (Index input{output.n, shifted(output.t, offset), output.x};
        input.t != output.t + offset || !available(input))
      return false;
  if (!used)
    return true;
  for (int64_t offset : getTimeOffsets())
    if (Index input{output.n, shifted(output.t, offset), output.x};
        input.t == output.t + offset && available(input))
      used->push_back(input);
  return true;
}

/// Returns the grids of the rows; the input's grid has all times that any
/// offset may read (spec: components.md 6.11.2).
static FailureOr<RowGrid> getGrid(const IndexRows &inputs,
                                  const IndexRows &outputs,
                                  ArrayRef<int64_t> offsets) {
  FailureOr<RowGrid> grid = getRowGrid(inputs, outputs);
  if (failed(grid))
    return failure();
  TimeGrid &in = grid->in, &out = grid->out;
  if (offsets.size() > 1) {
    in.step = std::gcd(in.step, out.step);
    for (int64_t offset : offsets)
      in.step = std::gcd(in.step, offset - offsets.front());
    in.start = out.start + offsets.front();
    in.count = (out.last() + offsets.back() - in.start) / in.step + 1;
  }
  if (out.step == 0) {
    if (in.step == 0)
      in.step = 1;
    out.step = in.step;
  }
  if (failed(grid->reorderInputs()))
    return failure();
  return grid;
}

LogicalResult TimeHeightConvolutionOp::reorderIndexes(IndexRows &inputs,
                                                      IndexRows &outputs) {
  return layOut(*this, getGrid(inputs, outputs, getTimeOffsets()), inputs,
                outputs);
}

DictionaryAttr
TimeHeightConvolutionOp::precomputeIndexes(const IndexRows &inputs,
                                           const IndexRows &outputs, bool) {
  SmallVector<int64_t> offsets = getTimeOffsets();
  FailureOr<RowGrid> grid = getGrid(inputs, outputs, offsets);
  assert(succeeded(grid) && "rows were laid out before");
  return getRowOffsets(getContext(), *grid, offsets, inputs.numSequences());
}
